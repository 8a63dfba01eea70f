import { errorCode } from '../../src/database/errors.js';
import { FIND_WRONG_BLOCKS, FIND_WRONG_OWNED } from '../../src/records/counts/record-counts.statements.js';
import { poolOf } from './pool-of.js';

const NO_DATABASE = '3D000';

/** The types of records that accounts have, or counts of. */
const FIND_COUNTED = `SELECT account_id, object_type FROM (
    SELECT account_id, object_type FROM records UNION SELECT account_id, object_type FROM owned_counts
    UNION SELECT account_id, object_type FROM owned_count_changes
    UNION SELECT account_id, object_type FROM record_blocks
  ) AS counted WHERE $1::text IS NULL OR account_id IN (SELECT id FROM accounts WHERE slug LIKE $1)`;

/** What counters that are ready have, and lack of the truth. */
const FIND_WRONG_COUNTERS = `SELECT counter, owner, sum(n)::int AS lacking
  FROM (
    SELECT c.counter, r.fields ->> c.owner_field AS owner, 1 AS n
      FROM owned_counters c JOIN records r USING (account_id, object_type)
      WHERE account_id = $1 AND object_type = $2 AND r.archived_at IS NULL
        AND (c.having_field IS NULL OR r.fields ->> c.having_field = ANY (c.having_values))
    UNION ALL SELECT counter, owner, -n FROM owned_counts WHERE account_id = $1 AND object_type = $2
    UNION ALL SELECT counter, owner, -n FROM owned_count_changes WHERE account_id = $1 AND object_type = $2
  ) AS difference
  WHERE owner IS NOT NULL AND counter IN (SELECT counter FROM owned_counters
    WHERE account_id = $1 AND object_type = $2 AND is_ready)
  GROUP BY counter, owner HAVING sum(n) <> 0`;

/**
 * Compares the counts of records with the records.
 * @param slugs the accounts, as a pattern of LIKE; all by default, also what has none
 * @returns what differs; nothing where a test has dropped the database
 */
export async function wrongCounts(url: string, slugs?: string): Promise<unknown[]> {
  const database = poolOf(url);
  const wrong: unknown[] = [];
  try {
    const { rows: types } = await database.query<{ account_id: string; object_type: string }>(FIND_COUNTED, [
      slugs ?? null,
    ]);
    for (const { account_id, object_type } of types) {
      for (const text of [FIND_WRONG_OWNED.text, FIND_WRONG_BLOCKS.text, FIND_WRONG_COUNTERS]) {
        const { rows } = await database.query<object>(text, [account_id, object_type]);
        wrong.push(...rows.map((row) => ({ account_id, object_type, ...row })));
      }
    }
  } catch (error) {
    if (errorCode(error) !== NO_DATABASE) throw error;
  }
  return wrong;
}

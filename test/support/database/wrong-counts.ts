import { errorCode } from '../../../src/database/errors.js';
import { poolOf } from './pool-of.js';

const NO_DATABASE = '3D000';

/** What counters that are ready lack of the truth. Every type has the first three counters. */
const FIND_WRONG = `SELECT account_id, object_type, counter, owner, sum(n)::int AS lacking
  FROM (
    SELECT account_id, object_type, 'active' AS counter, '' AS owner, 1 AS n FROM records WHERE archived_at IS NULL
    UNION ALL SELECT account_id, object_type, 'archived', '', 1 FROM records WHERE archived_at IS NOT NULL
    UNION ALL SELECT account_id, object_type, 'owner', owner, 1 FROM records
      WHERE archived_at IS NULL AND owner IS NOT NULL
    UNION ALL SELECT account_id, object_type, c.counter, r.fields ->> c.owner_field, 1
      FROM record_counters c JOIN records r USING (account_id, object_type)
      WHERE r.archived_at IS NULL AND r.fields ->> c.owner_field IS NOT NULL
        AND (c.having_field IS NULL OR r.fields ->> c.having_field = ANY (c.having_values))
    UNION ALL SELECT account_id, object_type, counter, owner, -n FROM record_counts
    UNION ALL SELECT account_id, object_type, counter, owner, -n FROM record_count_changes
  ) AS difference
  WHERE ($1::text IS NULL OR account_id IN (SELECT id FROM accounts WHERE slug LIKE $1))
    AND (counter IN ('active', 'archived', 'owner') OR (account_id, object_type, counter) IN (
      SELECT account_id, object_type, counter FROM record_counters WHERE is_ready))
  GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0`;

/**
 * Compares the counts of records with the records.
 * @param slugs the accounts, as a pattern of LIKE; all by default, also what has none
 * @returns what differs; nothing where a test has dropped the database
 */
export async function wrongCounts(url: string, slugs?: string): Promise<unknown[]> {
  try {
    return (await poolOf(url).query<object>(FIND_WRONG, [slugs ?? null])).rows;
  } catch (error) {
    if (errorCode(error) !== NO_DATABASE) throw error;
    return [];
  }
}

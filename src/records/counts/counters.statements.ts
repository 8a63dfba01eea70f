import { configurationIsCurrent } from '../../accounts/index.js';
import { GREATEST_ID, seedLock, type Statement } from '../../database/index.js';
import { COUNTED_OF_OWNERS, OWN_OWNER } from './record-counts.statements.js';

/**
 * $1 account, $2 configuration version, $3 the counters that it needs, as a JSON array. Adds those that are
 * missing and drops the others, unless the configuration has changed since. Returns how many it has dropped.
 */
export const KEEP_COUNTERS: Statement = {
  name: 'counters_keep',
  text: `WITH needed AS (
      SELECT * FROM jsonb_to_recordset($3::jsonb)
        AS n (object_type text, counter uuid, owner_field text, having_field text, having_values text[])
    ), dropped AS (
      DELETE FROM owned_counters c WHERE c.account_id = $1 AND ${configurationIsCurrent('$1', '$2')}
        AND NOT EXISTS (SELECT FROM needed n WHERE n.object_type = c.object_type AND n.counter = c.counter)
      RETURNING c.counter
    ), added AS (
      INSERT INTO owned_counters (account_id, object_type, counter, owner_field, having_field, having_values)
      SELECT $1::uuid, n.* FROM needed n WHERE ${configurationIsCurrent('$1', '$2')}
      ON CONFLICT DO NOTHING
    )
    SELECT count(*)::int AS dropped FROM dropped`,
};

const ofNoCounter = (table: string): string =>
  `DELETE FROM ${table} n WHERE n.account_id = $1 AND n.counter <> '${OWN_OWNER}' AND NOT EXISTS (
      SELECT FROM owned_counters c
      WHERE c.account_id = n.account_id AND c.object_type = n.object_type AND c.counter = n.counter)`;

/** $1 account. Deletes what counters have left that were dropped. */
export const DELETE_DROPPED: Statement = {
  name: 'counters_delete_dropped',
  text: `WITH changes AS (${ofNoCounter('owned_count_changes')}) ${ofNoCounter('owned_counts')}`,
};

/** $1 most rows. The counters for which the records that were there before are not counted yet. */
export const FIND_NEW: Statement = {
  name: 'counters_find_new',
  text: `SELECT account_id, object_type, counter FROM owned_counters WHERE NOT is_ready LIMIT $1`,
};

/** $1 account, $2 object type. Returns whether this transaction may count for new counters of the type. */
export const TRY_SEED_LOCK: Statement = {
  name: 'counters_try_seed_lock',
  text: `SELECT pg_try_advisory_xact_lock(${seedLock('$1', '$2')}) AS locked`,
};

/** $1 account, $2 object type, $3 whether they are ready. The counters of a type. */
export const FIND_COUNTERS: Statement = {
  name: 'counters_find',
  text: `SELECT counter FROM owned_counters WHERE account_id = $1 AND object_type = $2 AND is_ready = $3`,
};

/**
 * $1 account, $2 object type, $3 counters, $4 an id, $5 most records. Counts the first active records behind
 * the id. Returns a row for each counter and owner, and one without them, which has the id of the last record
 * in `last`, unless there is none.
 */
export const COUNT_PAGE: Statement = {
  name: 'counters_count_page',
  text: `WITH page AS MATERIALIZED (
      SELECT id, fields FROM records
      WHERE account_id = $1 AND object_type = $2 AND archived_at IS NULL AND id > $4
        AND id <= '${GREATEST_ID}'
      ORDER BY id LIMIT $5
    )
    SELECT c.counter, page.fields ->> c.owner_field AS owner, count(*)::int AS n, NULL::uuid AS last
    FROM page JOIN owned_counters c ON c.account_id = $1 AND c.object_type = $2 AND c.counter = ANY ($3::uuid[])
      AND (c.having_field IS NULL OR page.fields ->> c.having_field = ANY (c.having_values))
    WHERE page.fields ->> c.owner_field IS NOT NULL
    GROUP BY 1, 2
    UNION ALL (SELECT NULL, NULL, 0, id FROM page ORDER BY id DESC LIMIT 1)`,
};

/**
 * What counters lack of the truth: a row `counter, owner, lacking`. $1 account, $2 object type, $3 counters,
 * $4 to $6 the truth of this snapshot, as counters, owners and numbers.
 */
const LACKING = `SELECT counter, owner, sum(n)::bigint AS lacking
    FROM (
      SELECT * FROM unnest($4::uuid[], $5::text[], $6::bigint[]) AS truth (counter, owner, n)
      UNION ALL
      SELECT counter, owner, -n FROM owned_counts
        WHERE account_id = $1 AND object_type = $2 AND counter = ANY ($3::uuid[])
      UNION ALL
      SELECT counter, owner, -n FROM owned_count_changes
        WHERE account_id = $1 AND object_type = $2 AND counter = ANY ($3::uuid[])
    ) AS difference
    GROUP BY counter, owner HAVING sum(n) <> 0`;

/** Parameters of LACKING. Returns how many counts are wrong, and how many were compared. */
export const COMPARE: Statement = {
  name: 'counters_compare',
  text: `SELECT (SELECT count(*) FROM (${LACKING}) AS lacking)::int AS wrong, (SELECT count(*) FROM owned_counts
      WHERE account_id = $1 AND object_type = $2 AND counter = ANY ($3::uuid[]))::int AS compared`,
};

/** Parameters of LACKING. Writes what the counters lack as changes, after which they are ready. */
export const COMPLETE: Statement = {
  name: 'counters_complete',
  text: `WITH ready AS (
      UPDATE owned_counters SET is_ready = true
      WHERE account_id = $1 AND object_type = $2 AND counter = ANY ($3::uuid[])
    )
    INSERT INTO owned_count_changes (account_id, object_type, counter, owner, n)
    SELECT $1::uuid, $2::text, counter, owner, lacking FROM (${LACKING}) AS lacking`,
};

/**
 * $1 account, $2 object type, $3 owners, $4 counter. Counts the active records of owners, who are missing
 * where they have none. A row without an owner says that the counter is ready; the others count only then.
 */
export const COUNT_BY_COUNTER: Statement = {
  name: 'record_count_by_counter',
  text: `SELECT owner AS email, sum(n)::int AS count
    FROM (
      ${COUNTED_OF_OWNERS}
      UNION ALL
      SELECT NULL, 0 FROM owned_counters
        WHERE account_id = $1 AND object_type = $2 AND counter = $4 AND is_ready
    ) AS counted
    GROUP BY owner HAVING sum(n) <> 0 OR owner IS NULL`,
};

import type { Statement } from '../../database/index.js';
import { droppedEntries, lastFolded } from './series.sql.js';

/**
 * $1 account. Returns each series with its numbers of blocks and of entries in them, where its last block
 * ends, and the number of its entries that were dropped.
 */
export const READ_SERIES: Statement = {
  name: 'assignment_read_series',
  text: `SELECT b.router_id, b.user_email, count(*)::int AS blocks, sum(b.entries)::int AS entries,
      max(b.before + b.entries)::int AS "end", ${droppedEntries({ account: '$1', router: 'b.router_id', user: 'b.user_email' })}::int AS dropped
    FROM assignment_blocks b WHERE b.account_id = $1 GROUP BY 1, 2`,
};

/** $1 account. */
export const READ_FOLD: Statement = {
  name: 'assignment_read_fold',
  text: `SELECT ${lastFolded('$1')} AS last_id, f.late_ms::float8 AS late_ms, f.early_ms::float8 AS early_ms
    FROM (VALUES (1)) AS one LEFT JOIN assignment_folds f ON f.account_id = $1`,
};

/** $1 account, $2 an id, $3 the last id, $4 most entries. Returns those between the two, in order. */
export const READ_ENTRIES: Statement = {
  name: 'assignment_read_entries',
  text: `SELECT a.id, a.router_id, a.user_email, a.created_at FROM assignments a
    WHERE a.account_id = $1 AND a.id > $2 AND a.id <= $3 ORDER BY a.id LIMIT $4`,
};

/**
 * $1 account, then arrays of the same length: $2 routers, $3 users, $4 numbers of entries before, $5 first
 * ids. Counts the blocks that should be there and are not.
 */
export const COUNT_MISSING: Statement = {
  name: 'assignment_count_missing',
  text: `SELECT count(*)::int AS missing
    FROM unnest($2::uuid[], $3::text[], $4::bigint[], $5::uuid[]) AS start (router_id, user_email, before, first_id)
    WHERE NOT EXISTS (SELECT FROM assignment_blocks b
      WHERE b.account_id = $1 AND b.router_id = start.router_id AND b.user_email = start.user_email
        AND b.before = start.before AND b.first_id = start.first_id)`,
};

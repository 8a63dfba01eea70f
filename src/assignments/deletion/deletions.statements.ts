import type { Statement } from '../../database/index.js';
import { isSettledBefore } from '../returned/returned.statements.js';

/** Entries of an account between two ids. $1 account, $2 an id before them, $3 the first id behind them. */
const IN_RANGE = 'account_id = $1 AND id > $2 AND id < $3';

/** Parameters as of `IN_RANGE`. */
export const COUNT_ENTRIES: Statement = {
  name: 'assignment_count_entries',
  text: `SELECT count(*)::int AS count FROM assignments WHERE ${IN_RANGE}`,
};

/** As `IN_RANGE`, and $4 most entries. Returns the id of the first entry beyond these; no row for none. */
export const FIND_END: Statement = {
  name: 'assignment_find_end',
  text: `SELECT id FROM assignments WHERE ${IN_RANGE} ORDER BY id OFFSET $4::int LIMIT 1`,
};

/**
 * Parameters as of `IN_RANGE`. Deletes entries with their traces and returned turns. Returns their number and
 * the last id; null for none. The transaction must have taken them out of the blocks.
 */
export const DELETE_ENTRIES: Statement = {
  name: 'assignment_delete_entries',
  text: `WITH traces AS (DELETE FROM assignment_traces WHERE ${IN_RANGE}),
      returned AS (DELETE FROM returned_assignments r
        WHERE r.account_id = $1 AND r.assignment_id > $2 AND ${isSettledBefore('$3')}),
      entry AS (DELETE FROM assignments WHERE ${IN_RANGE} RETURNING id)
    SELECT (SELECT count(*)::int FROM entry) AS count, (SELECT id FROM entry ORDER BY id DESC LIMIT 1) AS last`,
};

import type { Statement } from '../database/index.js';
import { COLUMNS } from './assignments.list-statements.js';

/** $1 account, $2 least id, $3 first id that keeps its trace, $4 most rows. */
export const DROP_TRACES: Statement = {
  name: 'assignment_drop_traces',
  text: `WITH old AS (SELECT id FROM assignments
      WHERE account_id = $1 AND id >= $2 AND id < $3 AND trace IS NOT NULL ORDER BY id LIMIT $4
      FOR UPDATE SKIP LOCKED)
    UPDATE assignments SET trace = NULL FROM old
    WHERE assignments.account_id = $1 AND assignments.id = old.id RETURNING assignments.id`,
};

/** $1 account, $2 id. */
export const FIND_ASSIGNMENT: Statement = {
  name: 'assignment_find',
  text: `SELECT ${COLUMNS}, a.trace FROM assignments a WHERE a.account_id = $1 AND a.id = $2`,
};

import type { Statement } from '../database/index.js';
import { COLUMNS } from './assignments.list-statements.js';

/** Of entries of earlier releases. $1 account, $2 least id, $3 first id that keeps its trace, $4 most rows. */
export const DROP_TRACES: Statement = {
  name: 'assignment_drop_traces',
  text: `WITH old AS (SELECT id FROM assignments
      WHERE account_id = $1 AND id >= $2 AND id < $3 AND trace IS NOT NULL ORDER BY id LIMIT $4
      FOR UPDATE SKIP LOCKED)
    UPDATE assignments SET trace = NULL FROM old
    WHERE assignments.account_id = $1 AND assignments.id = old.id RETURNING assignments.id`,
};

/**
 * Until the transaction ends, statements use the plan that is made once for all values. With a partition for
 * each month, to make a plan takes longer than to run it.
 */
export const PLAN_ONCE: Statement = {
  name: 'assignment_plan_once',
  text: `SELECT set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)`,
};

/** $1 account, $2 id. */
export const FIND_ASSIGNMENT: Statement = {
  name: 'assignment_find',
  text: `SELECT ${COLUMNS}, COALESCE(t.trace, a.trace) AS trace FROM assignments a
    LEFT JOIN assignment_traces t ON t.account_id = $1 AND t.id = $2
    WHERE a.account_id = $1 AND a.id = $2`,
};

/**
 * $1 account, $2 object, $3 routers, $4 the least id. Reads the last assignment by these routers that
 * assigned the record to somebody, if its turn has not been returned. It takes no locks, because its result
 * says which router to lock.
 */
export const FIND_LAST_TURN: Statement = {
  name: 'assignment_find_last_turn',
  text: `SELECT last.id, last.router_id AS "routerId", last.user_email AS "user", last.created_at AS at,
      last.turn ->> 'scope' AS "rotationKey", last.turn ->> 'team' AS team
    FROM (SELECT * FROM assignments
      WHERE account_id = $1 AND object_id = $2 AND router_id = ANY ($3::uuid[]) AND user_email IS NOT NULL AND id >= $4::uuid
      ORDER BY id DESC LIMIT 1) AS last
    WHERE last.turn IS NOT NULL`,
};

/** $1 account, $2 assignment. Returns no row for a turn that was returned before. */
export const MARK_TURN_RETURNED: Statement = {
  name: 'assignment_mark_turn_returned',
  text: 'UPDATE assignments SET turn = NULL WHERE account_id = $1 AND id = $2 AND turn IS NOT NULL RETURNING id',
};

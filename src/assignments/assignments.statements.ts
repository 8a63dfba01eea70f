import { importLock, type Statement } from '../database/index.js';
import { RENAMED_USERS } from '../directory/index.js';
import { COLUMNS } from './assignments.list-statements.js';

/** Of earlier releases. $1 account, $2 least id, $3 first id that keeps its trace, $4 most rows. */
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
  text: `SELECT ${COLUMNS}, COALESCE(t.trace, a.trace) AS trace, ${RENAMED_USERS} FROM assignments a
    LEFT JOIN assignment_traces t ON t.account_id = $1 AND t.id = $2
    WHERE a.account_id = $1 AND a.id = $2`,
};

/**
 * $1 account, $2 router, $3 ids of records, $4 the least id of an entry of one of them. Those on which the
 * router has run.
 */
export const FIND_RUN_ON: Statement = {
  name: 'assignment_find_run_on',
  text: `SELECT object.id FROM unnest($3::uuid[]) AS object (id)
    WHERE EXISTS (SELECT FROM assignments a
      WHERE a.account_id = $1 AND a.object_id = object.id AND a.id >= $4 AND a.router_id = $2)`,
};

/** $1 account, $2 router. Lets one import at a time look for records on which the router has not run. */
export const LOCK_IMPORT: Statement = {
  name: 'assignment_lock_import',
  text: `SELECT pg_advisory_xact_lock(${importLock('$1', '$2')})`,
};

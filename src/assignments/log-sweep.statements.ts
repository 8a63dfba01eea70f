import { ALL_ACCOUNTS } from '../accounts/index.js';
import type { Statement } from '../database/index.js';
import { DAY_KEY, entriesByDay } from './assignments.sql.js';

/** A table of the log that has a retention. */
export type LogTable = 'assignments' | 'assignment_traces';

/** $1 the first id that is kept. Finds the accounts that have older rows, each by a look into an index. */
export const findOld = (table: LogTable): Statement => ({
  name: `log_sweep_find_${table}`,
  text: `SELECT account.id FROM (${ALL_ACCOUNTS}) account
    WHERE (SELECT old.id FROM ${table} old WHERE old.account_id = account.id ORDER BY old.id LIMIT 1) < $1::uuid`,
});

/** The oldest rows `a` of the account $1 before the id $2, at most $3, that nobody else changes. */
const oldest = (table: LogTable, more = ''): string =>
  `SELECT a.id FROM ${table} a WHERE a.account_id = $1 AND a.id < $2::uuid${more}
      ORDER BY a.id LIMIT $3 FOR UPDATE SKIP LOCKED`;

const remove = (table: LogTable): string =>
  `DELETE FROM ${table} a WHERE a.account_id = $1 AND a.id = ANY (ARRAY(SELECT old.id FROM old))`;

/** The row of `assignment_days` that has the count `c`. */
const SAME = `d.account_id = $1 AND (${inTable('d')}) = (${inTable('c')})`;

function inTable(table: string): string {
  return DAY_KEY.split(', ')
    .map((column) => `${table}.${column}`)
    .join(', ');
}

/** An entry whose turn is owed stays until it has been owed for as long: since $4, the first instant kept. */
const IS_SETTLED = ' AND NOT (a.turn_owed AND a.returned_at >= $4::timestamptz)';

/**
 * $1 account, $2 the first id that is kept, $3 most rows. Deletes the oldest rows before it, and returns how
 * many. Entries go with their traces and lower the counts of their days.
 */
export const DELETE_OLDEST: Readonly<Record<LogTable, Statement>> = {
  assignment_traces: {
    name: 'log_sweep_traces',
    text: `WITH old AS MATERIALIZED (${oldest('assignment_traces')}),
        gone AS (${remove('assignment_traces')} RETURNING 1)
      SELECT count(*)::int AS count FROM gone`,
  },
  // No count is both lowered and ended.
  assignments: {
    name: 'log_sweep_entries',
    text: `WITH old AS MATERIALIZED (${oldest('assignments', IS_SETTLED)}),
        traces AS (${remove('assignment_traces')}),
        gone AS (${remove('assignments')} RETURNING a.*),
        counted AS MATERIALIZED (${entriesByDay('gone a')}),
        lowered AS (UPDATE assignment_days d SET entries = d.entries - c.entries FROM counted c
          WHERE ${SAME} AND d.entries > c.entries),
        ended AS (DELETE FROM assignment_days d USING counted c WHERE ${SAME} AND d.entries <= c.entries)
      SELECT count(*)::int AS count FROM gone`,
  },
};

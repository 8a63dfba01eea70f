import type { Statement } from './queryable.js';

/** A session that runs a statement for this long, or waits for its client, is ended. */
const PATIENCE = `interval '1 second'`;

/**
 * $1 transaction, $2 whether its session may be ended. Says what became of the transaction: `committed`,
 * `aborted`, `in progress`, or null where that is forgotten.
 */
export const TRANSACTION_STATUS: Statement = {
  name: 'outcome_transaction_status',
  text: `SELECT pg_xact_status($1::text::xid8) AS status,
    (SELECT bool_or(pg_terminate_backend(pid)) FROM pg_stat_activity
      WHERE $2::boolean AND backend_xid = $1::text::xid8::xid
        AND (state <> 'active' OR clock_timestamp() - state_change > ${PATIENCE})) AS ended`,
};

/** SQLSTATE of TRANSACTION_STATUS for an id that the server has not given out yet. */
export const NOT_GIVEN_OUT = '22023';

/** $1 process, $2 its start. Returns the session while it exists, and ends it. */
export const END_SESSION: Statement = {
  name: 'outcome_end_session',
  text: `SELECT pid, CASE WHEN state <> 'active' OR clock_timestamp() - query_start > ${PATIENCE}
      THEN pg_terminate_backend(pid) END AS ended
    FROM pg_stat_activity WHERE pid = $1 AND extract(epoch FROM backend_start)::text = $2`,
};

/**
 * $1 text of a statement, $2 milliseconds since it was first asked about. Returns the sessions that have run
 * it since before. Behind a pooler, the session of the statement is not known, and the statement may have
 * waited there until after its connection was lost.
 */
export const RUNNING_ALIKE: Statement = {
  name: 'outcome_running_alike',
  text: `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
      AND state = 'active' AND left(query, 200) = left($1::text, 200)
      AND query_start <= clock_timestamp() - $2::float8 * interval '1 millisecond'`,
};

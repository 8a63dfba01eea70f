import type { PoolClient, QueryConfig } from 'pg';
import { announcedProcess } from './pg-internals.js';
import { leavesConnection } from './sqlstate.js';

/** The server session behind a connection. */
export interface ConnectionIdentity {
  /** The cluster and its timeline, which a failover changes. Undefined where the server does not tell. */
  readonly timeline: string | undefined;
  /** Changes when the server recovers from a crash: transaction ids that were lost may be used again then. */
  readonly recovered: string;
  /** Process and start of the session; undefined behind a pooler, where a session serves many connections. */
  readonly session: { readonly pid: number; readonly started: string } | undefined;
  /** Milliseconds by which the server's clock is at least ahead of that of `performance`. */
  readonly ahead: number;
}

interface Row {
  readonly timeline: string;
  readonly recovered: string;
  readonly pid: number;
  readonly started: string;
  readonly clock: number;
}

/** The clock in milliseconds, with their fraction, which a Date has not. */
const CLOCK = 'extract(epoch FROM clock_timestamp())::float8 * 1000';

/**
 * PostgreSQL discards its statistics when it recovers from a crash, and sets the time of their reset. The
 * name of a WAL file starts with the timeline.
 */
const IDENTITY = `SELECT
    (SELECT system_identifier FROM pg_control_system()) || ' ' || CASE WHEN pg_is_in_recovery() THEN 'standby'
      ELSE left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END AS timeline,
    (SELECT stats_reset::text FROM pg_stat_archiver) AS recovered,
    pg_backend_pid() AS pid,
    (SELECT extract(epoch FROM backend_start)::text FROM pg_stat_activity WHERE pid = pg_backend_pid()) AS started,
    ${CLOCK} AS clock`;

/**
 * Makes the server end a statement whose client is gone, and an idle session whose client has been silent for
 * about 25 s: the network may lose a connection without a word. Servers on some platforms refuse some of it.
 */
const CHECK_CLIENT = [
  'SET client_connection_check_interval = 1000',
  'SET tcp_keepalives_idle = 10',
  'SET tcp_keepalives_interval = 5',
  'SET tcp_keepalives_count = 3',
  'SET tcp_user_timeout = 20000',
];

/** The identity of a connection whose server does not tell. */
export const UNKNOWN: ConnectionIdentity = {
  timeline: undefined,
  recovered: '',
  session: undefined,
  ahead: -Infinity,
};

/**
 * Reads the identity of a connection.
 * @param query_timeout milliseconds for the answer. Default: that of the connection
 * @throws what the driver throws when the connection is lost
 */
export async function readIdentity(client: PoolClient, query_timeout?: number): Promise<ConnectionIdentity> {
  try {
    const { rows } = await client.query<Row>(limited(IDENTITY, query_timeout));
    const [row] = rows;
    if (row === undefined) return UNKNOWN;
    const { pid, started, clock, ...identity } = row;
    const ahead = clock - performance.now();
    return { ...identity, ahead, session: announcedProcess(client) === pid ? { pid, started } : undefined };
  } catch (error) {
    // A server may refuse to tell. Only a connection that is still good has an identity, though unknown.
    if (leavesConnection(error)) return UNKNOWN;
    throw error;
  }
}

/** The types of pg lack this option of a statement. */
function limited(text: string, query_timeout: number | undefined): QueryConfig {
  return query_timeout === undefined ? { text } : ({ text, query_timeout } as QueryConfig);
}

/** How often a clock is read: the answer that takes the shortest time tells it best. */
const READINGS = 4;

/** Returns the milliseconds by which the server's clock is at least ahead of that of `performance`. */
export async function readClock(client: PoolClient): Promise<number> {
  let ahead = -Infinity;
  for (let reading = 0; reading < READINGS; reading++) {
    const { rows } = await client.query<{ clock: number }>(`SELECT ${CLOCK} AS clock`);
    for (const { clock } of rows) ahead = Math.max(ahead, clock - performance.now());
  }
  return ahead;
}

/**
 * Prepares a new connection for work.
 * @param limit milliseconds for the answer
 * @returns its identity
 * @throws what the driver throws when the connection is lost
 */
export async function prepareConnection(client: PoolClient, limit: number): Promise<ConnectionIdentity> {
  const set = (text: string): Promise<unknown> => client.query(limited(text, limit)).catch(() => undefined);
  const checked = CHECK_CLIENT.map(set);
  const identity = await readIdentity(client, limit);
  await Promise.all(checked);
  return identity;
}

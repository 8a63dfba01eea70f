// Plain connections to a database, past every proxy, and the sessions of the service in it.
import pg from 'pg';

const CONNECT_MS = 10_000;

/** Milliseconds after which a connection, and then its answer, no longer counts as given now. */
const NOW_MS = { connect: 2_000, answer: 1_000 };

const SESSIONS = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'fairlead' AND pid <> pg_backend_pid() ORDER BY pid`;

/** Opens a connection. One that breaks later does not end this process. */
export async function connect(options) {
  const client = new pg.Client({
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'fairlead chaos',
    ...options,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    client.end().catch(() => undefined);
    throw error;
  }
}

/** Runs `work` with a connection, and closes it. @param options as `connect` */
export async function withClient(options, work) {
  const client = await connect(options);
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns whether a new connection answers now. */
export const accepts = (options) =>
  withClient(
    { ...options, connectionTimeoutMillis: NOW_MS.connect, query_timeout: NOW_MS.answer },
    (client) => client.query('SELECT 1'),
  ).then(
    () => true,
    () => false,
  );

/** @returns the ids of the sessions of the service */
export const sessionsOf = async (client) => (await client.query(SESSIONS)).rows.map(({ pid }) => pid);

/** Ends sessions as an administrator does. */
export const terminate = (client, pids) =>
  client.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [pids]);

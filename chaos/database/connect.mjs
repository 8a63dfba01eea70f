// Plain connections to a database, past every proxy.
import pg from 'pg';

const CONNECT_MS = 10_000;

/** Milliseconds after which a connection, and then its answer, no longer counts as given now. */
const NOW_MS = { connect: 2_000, answer: 1_000 };

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

import { Client } from 'pg';
import { LIMIT_SETTINGS } from '../connection/deadline.js';
import type { DataSourceSettings } from '../connection/data-source.js';
import type { Session } from '../distribute.js';
import { ScramClient } from '../driver/driver.js';
import { reach } from '../driver/hosts-client.js';
import { EmbeddedPostgres } from '../embedded/embedded-postgres.js';
import { cannotConnect } from '../errors.js';
import { requireOwnSessions } from '../migrations.js';

/** Where a database is. */
export interface DatabasePlace {
  /** A postgres:// address; undefined for the embedded database. */
  readonly url: string | undefined;
  /** Directory of the embedded database. */
  readonly dataDir: string;
}

/** Limits that an administrator may have set for the role fit requests, and not a whole database. */
const UNLIMITED = LIMIT_SETTINGS.map((name) => `SET ${name} = 0`).join('; ');

/** Returns the session of a connection. */
export const sessionOf = (client: Client): Session => ({
  query: async (text, values) => (await client.query<object>(text, values)).rows,
});

/** A database server for a dump or a load. */
export interface DatabaseServer {
  readonly at: Pick<DataSourceSettings, 'url' | 'scramOnly'>;
  /**
   * Runs `work` with a plain connection of its own, without limits of time.
   * @throws what `work` throws, or Error when the database cannot be reached
   */
  connected<T>(work: (client: Client) => Promise<T>): Promise<T>;
}

/**
 * Does work on the server of a database. Starts the embedded one when it does not run, and makes it where
 * there is none; stops it afterwards unless another process uses it.
 * @throws what `work` throws; Error with advice when the server cannot be used, or a pooler is in front of it
 */
export async function onServer<T>(
  { url, dataDir }: DatabasePlace,
  work: (server: DatabaseServer) => Promise<T>,
): Promise<T> {
  const embedded = url === undefined ? await EmbeddedPostgres.open({ dataDir }) : undefined;
  const at = { url: url ?? embedded?.url ?? '', scramOnly: embedded !== undefined };
  try {
    if (embedded === undefined)
      await use(at, (one) => use(at, (other) => requireOwnSessions(sessionOf(one), sessionOf(other))));
    return await work({
      at,
      connected: (part) => use(at, (client) => client.query(UNLIMITED).then(() => part(client))),
    });
  } finally {
    await embedded?.close();
  }
}

async function use<T>(
  { url, scramOnly = false }: DatabaseServer['at'],
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { Client: Reaching = Client, ...at } = reach(url);
  const client = new (scramOnly ? ScramClient : Reaching)({
    ...at,
    application_name: 'fairlead',
    connectionTimeoutMillis: 5_000,
  });
  // Without a listener, a broken connection would end the process. The next statement fails.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw cannotConnect(scramOnly ? 'DATA_DIR' : 'DATABASE_URL', error);
  }
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

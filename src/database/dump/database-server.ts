import { Client } from 'pg';
import { reach } from '../driver/hosts-client.js';
import { ScramClient } from '../driver/driver.js';
import { EmbeddedPostgres } from '../embedded/embedded-postgres.js';
import { cannotConnect } from '../errors.js';
import { LIMIT_SETTINGS } from '../connection/deadline.js';
import type { Session } from '../distribute.js';
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
export class DatabaseServer {
  private constructor(
    /** A postgres:// address. */
    readonly url: string,
    private readonly embedded: EmbeddedPostgres | undefined,
  ) {}

  /**
   * Uses the server of a database. Starts the embedded one when it does not run, and makes it where there is
   * none.
   * @throws Error with advice when it cannot be used, or a pooler is in front of it
   */
  static async open({ url, dataDir }: DatabasePlace): Promise<DatabaseServer> {
    if (url === undefined) {
      const embedded = await EmbeddedPostgres.open({ dataDir });
      return new DatabaseServer(embedded.url, embedded);
    }
    const server = new DatabaseServer(url, undefined);
    await server.use((first) =>
      server.use((second) => requireOwnSessions(sessionOf(first), sessionOf(second))),
    );
    return server;
  }

  /** True for the embedded database, whose clients prove their password by SCRAM only. */
  get scramOnly(): boolean {
    return this.embedded !== undefined;
  }

  /**
   * Runs `work` with a plain connection of its own, without limits of time.
   * @throws what `work` throws, or Error when the database cannot be reached
   */
  connected<T>(work: (client: Client) => Promise<T>): Promise<T> {
    return this.use(async (client) => {
      await client.query(UNLIMITED);
      return work(client);
    });
  }

  /** Stops the embedded server unless another process uses it. */
  async close(): Promise<void> {
    await this.embedded?.close();
  }

  private async use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const { Client: Reaching = Client, ...at } = reach(this.url);
    const client = new (this.scramOnly ? ScramClient : Reaching)({
      ...at,
      application_name: 'fairlead',
      connectionTimeoutMillis: 5_000,
    });
    // Without a listener, a broken connection would end the process. The next statement fails.
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      throw cannotConnect(this.scramOnly ? 'DATA_DIR' : 'DATABASE_URL', error);
    }
    try {
      return await work(client);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

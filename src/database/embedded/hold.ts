import type { Client } from 'pg';
import { ScramClient } from '../driver/driver.js';
import { errorCode } from '../errors.js';
import { EmbeddedPostgresError } from './data-dir.js';
import { SERVICE_ROLE } from './init.js';
import { SOCKET_PORT, requirePrivate } from './start.js';

/** Key of the advisory lock that every process which uses the server shares. */
const HOLD_KEY = '7305087142019583';

/** Name of the sessions that hold a server. */
const HOLD_NAME = 'fairlead-hold';

const WRONG_PASSWORD = new Set(['28P01', '28000']);

/** A server and the cluster that it must serve. */
export interface ServerTarget {
  /** Absolute path of the directory with the server's socket. */
  readonly directory: string;
  readonly password: string;
  /** Directory of the cluster. */
  readonly cluster: string;
}

/** Methods that say whether a connection keeps this process alive. @types/pg does not declare them. */
type Referable = Client & { ref(): void; unref(): void };

function refusal({ cluster }: ServerTarget, cause: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The running server of ${cluster} does not accept the password in the file "postgres-password" ` +
      'beside it. Restore that file; or, if the password was changed in the database, write the new one there.',
    { cause, final: true },
  );
}

/**
 * Marks the server as used by this process: a shared advisory lock on a separate connection. PostgreSQL
 * releases the lock also when the process is killed.
 */
export class ServerHold {
  /** Resolves when the connection, and the lock with it, is lost before it is released. */
  readonly lost: Promise<void>;
  private released = false;

  private constructor(private readonly client: Referable) {
    this.lost = new Promise((resolve) => {
      client.once('end', () => {
        if (!this.released) resolve();
      });
    });
    // The connection must not keep alive a program that does not close it.
    client.unref();
  }

  /**
   * Connects, and takes the shared lock. Waits while the last
   * process that used the server is about to stop it, and fails when the server stops.
   *
   * @throws {EmbeddedPostgresError} when the server refuses the password (a final error), or its socket is in
   *   a directory that others can use
   * @throws another error, of the socket or of the server, when there is no answer yet, or the lock is not
   *   free within 5 seconds
   */
  static async take(target: ServerTarget): Promise<ServerHold> {
    const { directory, password, cluster } = target;
    await requirePrivate(directory, cluster);
    const client = new ScramClient({
      host: directory,
      port: SOCKET_PORT,
      user: SERVICE_ROLE,
      password,
      database: SERVICE_ROLE,
      ssl: false,
      application_name: HOLD_NAME,
      connectionTimeoutMillis: 5_000,
      query_timeout: 10_000,
      // No statement of this file takes longer, and a stopped process can keep a lock for any time.
      options: '-c lock_timeout=5s',
    }) as Referable;
    // Without a listener, a broken connection would end the process.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(`SELECT pg_advisory_lock_shared(${HOLD_KEY})`);
      return new ServerHold(client);
    } catch (error) {
      client.end().catch(() => undefined);
      throw WRONG_PASSWORD.has(errorCode(error) ?? '') ? refusal(target, error) : error;
    }
  }

  /**
   * Releases the shared lock. Returns true when no other process holds it. Then no process can take it until
   * `disconnect`, and the caller must stop the server. Returns false when other processes use the server, or
   * the connection is lost.
   */
  async release(): Promise<boolean> {
    this.released = true;
    this.client.ref();
    try {
      await this.client.query('SELECT pg_advisory_unlock_all()');
      const { rows } = await this.client.query<{ last: boolean }>(
        `SELECT pg_try_advisory_lock(${HOLD_KEY}) AS last`,
      );
      return rows[0]?.last === true;
    } catch {
      return false;
    }
  }

  /** Closes the connection. Does nothing when it is broken already. */
  async disconnect(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { type ServerTarget, connectToServer } from './server-connection.js';
import { COUNT_OTHERS } from './session-name.js';

/** Key of the advisory lock that every process which uses the server shares. */
const HOLD_KEY = '7305087142019583';

/** Milliseconds in which the sessions of a process that has ended may disappear. */
const LINGER_MS = 2_000;
const LINGER_POLL_MS = 20;

/** Methods that say whether a connection keeps this process alive. @types/pg does not declare them. */
interface Referable {
  ref(): void;
  unref(): void;
}

/**
 * Marks the server as used by this process: a shared advisory lock on a separate connection. PostgreSQL
 * releases the lock also when the process is killed.
 */
export class ServerHold {
  /** Resolves when the connection, and the lock with it, is lost before it is released. */
  readonly lost: Promise<void>;
  private released = false;

  private constructor(
    private readonly client: Client,
    private readonly sessionName: string,
  ) {
    this.lost = new Promise((resolve) => {
      client.once('end', () => {
        if (!this.released) resolve();
      });
    });
    // The connection must not keep alive a program that does not close it.
    (client as Client & Referable).unref();
  }

  /**
   * Connects and takes the shared lock. Waits while the last process that used the server is about to stop
   * it, and fails when the server stops.
   *
   * @param sessionName name of the other sessions of this process
   * @throws as connectToServer does; also when the lock is not free within 5 seconds
   */
  static async take(target: ServerTarget, sessionName: string): Promise<ServerHold> {
    const client = await connectToServer(target);
    try {
      await client.query(`SELECT pg_advisory_lock_shared(${HOLD_KEY})`);
      return new ServerHold(client, sessionName);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
  }

  /**
   * Releases the shared lock. Returns true when no other process holds it or has a session. Then no process
   * can take it until `disconnect`, and the caller must stop the server. Returns false when other processes
   * use the server. Returns undefined when the connection is lost, so that it is not known.
   */
  async release(): Promise<boolean | undefined> {
    this.released = true;
    (this.client as Client & Referable).ref();
    try {
      await this.client.query('SELECT pg_advisory_unlock_all()');
      const { rows } = await this.client.query<{ last: boolean }>(
        `SELECT pg_try_advisory_lock(${HOLD_KEY}) AS last`,
      );
      return rows[0]?.last === true && (await this.isAlone());
    } catch {
      return undefined;
    }
  }

  /** Closes the connection after `release`. Does nothing when it is broken already. */
  async disconnect(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }

  /** Returns whether no other process has a session. A process whose hold was lost may still have some. */
  private async isAlone(): Promise<boolean> {
    for (const deadline = Date.now() + LINGER_MS; ; await delay(LINGER_POLL_MS)) {
      const { rows } = await this.client.query<{ others: number }>(COUNT_OTHERS, [this.sessionName]);
      if (rows[0]?.others === 0) return true;
      if (Date.now() > deadline) return false;
    }
  }
}

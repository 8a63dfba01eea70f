import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { type ServerTarget, connectToServer } from './server-connection.js';

/** Key of the advisory lock that every process which uses the server shares. */
const HOLD_KEY = '7305087142019583';

/** Methods that say whether a connection keeps this process alive. @types/pg does not declare them. */
interface Referable {
  ref(): void;
  unref(): void;
}

const REGAIN_MS = 30_000;
const REGAIN_POLL_MS = 200;

/**
 * Marks the server as used by this process: a shared advisory lock on a separate connection. PostgreSQL
 * releases the lock also when the process is killed.
 */
export class ServerHold {
  private client: Client | undefined;
  /** The connection that replaces a lost one, while it is being made. */
  private replacement: Promise<Client> | undefined;
  private released = false;

  private constructor(
    private readonly target: ServerTarget,
    private readonly log: (message: string) => void,
  ) {}

  /**
   * Connects and takes the shared lock. Waits while the last process that used the server is about to stop
   * it, and fails when the server stops.
   *
   * @throws as connectToServer does; also when the lock is not free within 5 seconds
   */
  static async take(target: ServerTarget, log: (message: string) => void): Promise<ServerHold> {
    const hold = new ServerHold(target, log);
    hold.adopt(await hold.connect());
    return hold;
  }

  /**
   * Releases the shared lock. Returns true when no other process holds it. Then no process can take it until
   * `disconnect`, and the caller must stop the server. Returns false when other processes use the server, or
   * when it does not run any more.
   */
  async release(): Promise<boolean> {
    this.released = true;
    const held = this.client ?? (await this.replacement?.catch(() => undefined));
    const last = held && (await this.tryExclusive(held));
    if (last !== undefined) return last;
    // The lock was lost. After a crash and restart of the server, no other process may be there to stop it.
    const client = await connectToServer(this.target).catch(() => undefined);
    return (client && (await this.tryExclusive(client))) ?? false;
  }

  /** Closes the connection after `release`. Does nothing when it is broken already. */
  async disconnect(): Promise<void> {
    await this.client?.end().catch(() => undefined);
  }

  private async connect(): Promise<Client> {
    const client = await connectToServer(this.target);
    try {
      await client.query(`SELECT pg_advisory_lock_shared(${HOLD_KEY})`);
      return client;
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
  }

  private adopt(client: Client): void {
    this.client = client;
    client.once('end', () => void this.regain());
    // The connection must not keep alive a program that does not close it.
    (client as Client & Referable).unref();
  }

  /** Returns undefined when the connection is broken. */
  private async tryExclusive(client: Client): Promise<boolean | undefined> {
    this.client = client;
    (client as Client & Referable).ref();
    try {
      await client.query('SELECT pg_advisory_unlock_all()');
      const { rows } = await client.query<{ last: boolean }>(
        `SELECT pg_try_advisory_lock(${HOLD_KEY}) AS last`,
      );
      return rows[0]?.last;
    } catch {
      return undefined;
    }
  }

  /**
   * After a crash of one session, PostgreSQL restarts all sessions. Without the lock, others would stop the
   * server.
   */
  private async regain(): Promise<void> {
    if (this.released) return;
    this.client = undefined;
    this.log('The connection that holds the embedded database was lost; connecting again.');
    const deadline = Date.now() + REGAIN_MS;
    while (!this.isReleased() && Date.now() < deadline) {
      try {
        this.replacement = this.connect();
        const client = await this.replacement;
        if (!this.isReleased()) this.adopt(client);
        return;
      } catch (error) {
        if (error instanceof EmbeddedPostgresError) break;
        await delay(REGAIN_POLL_MS, undefined, { ref: false });
      }
    }
    if (!this.isReleased()) this.log('The embedded database does not answer any more.');
  }

  /** A method, because the compiler does not see that the field can change during an `await`. */
  private isReleased(): boolean {
    return this.released;
  }
}

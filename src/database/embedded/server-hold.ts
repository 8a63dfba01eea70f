import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { type ServerTarget, connectToServer } from './server-connection.js';

/** Key of the advisory lock that every process which uses the server shares. */
const HOLD_KEY = '7305087142019583';

/** Whether a connection keeps this process alive; @types/pg does not know these methods. */
interface Referable {
  ref(): void;
  unref(): void;
}

const REGAIN_MS = 30_000;
const REGAIN_POLL_MS = 200;

/**
 * A process's claim that it uses the server: a shared advisory lock on a connection of its own, which the system
 * gives back even when the process is killed.
 */
export class ServerHold {
  private client: Client | undefined;
  /** The connection being made in place of a lost one. */
  private replacement: Promise<Client> | undefined;
  private released = false;

  private constructor(
    private readonly target: ServerTarget,
    private readonly log: (message: string) => void,
  ) {}

  /**
   * Connects and takes the shared lock. While the last user is about to stop the server, this waits, and fails when
   * the server goes.
   *
   * @throws as connectToServer does; also when the lock is not free within 5 seconds
   */
  static async take(target: ServerTarget, log: (message: string) => void): Promise<ServerHold> {
    const hold = new ServerHold(target, log);
    hold.adopt(await hold.connect());
    return hold;
  }

  /**
   * Gives up the claim. True when no other process has one: then none can get one until `disconnect`, and the caller
   * must stop the server. False when others use it, or when it is not there any more.
   */
  async release(): Promise<boolean> {
    this.released = true;
    const held = this.client ?? (await this.replacement?.catch(() => undefined));
    const last = held && (await this.tryExclusive(held));
    if (last !== undefined) return last;
    // The claim was lost; a server that recovered from a crash may have nobody else to stop it.
    const client = await connectToServer(this.target).catch(() => undefined);
    return (client && (await this.tryExclusive(client))) ?? false;
  }

  /** Closes the connection after `release`; harmless when it is broken already. */
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
    // A program that forgets to close must still be able to end.
    (client as Client & Referable).unref();
  }

  /** Undefined when the connection is broken. */
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

  /** After a crash of one session, PostgreSQL restarts all: without the lock, others would stop the server. */
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

  /** Asked through a method, as the compiler does not see that it may change while something is awaited. */
  private isReleased(): boolean {
    return this.released;
  }
}

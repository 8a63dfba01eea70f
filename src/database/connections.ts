import type { Pool, PoolClient } from 'pg';
import type { QueryRunner } from 'typeorm';
import { prepareConnection, UNKNOWN, type ConnectionIdentity } from './connection-identity.js';
import { DatabaseUnavailableError } from './database-unavailable.error.js';
import type { Deadline } from './deadline.js';
import { answerTimeout, closeIdle, isConnectionClosed, markErrors, saysNoAnswer } from './pg-internals.js';
import { isConnectionLost, isReadOnly, isUnavailable, leavesConnection } from './sqlstate.js';

/**
 * Milliseconds after which another connection is tried in place of one that is read-only, as at the first.
 */
const RECENT = 1_000;

/** A connection that was prepared. */
interface Prepared {
  readonly identity: ConnectionIdentity;
  /** By the clock of `performance`. */
  readonly at: number;
}

/** A connection that is on its way. */
interface Taking {
  readonly deadline: Deadline;
  readonly connecting: Promise<PoolClient>;
  readonly giveBack: (client: PoolClient) => void;
}

/** A connection for one statement. */
export interface Lease {
  readonly client: PoolClient;
  /** Must be called once, with the error of the statement, if any. */
  readonly release: (error?: unknown) => void;
}

/** The connections of the pool: those that work go back to it, the others are closed. */
export class Connections {
  private readonly prepared = new WeakMap<PoolClient, Prepared>();
  private readonly unusable = new WeakSet<PoolClient>();
  /** When a connection was found to be read-only, by the clock of `performance`. */
  private readOnlyAt = -Infinity;

  /**
   * @param pool undefined for a data source that is not connected
   * @param onAnswer called when the database has answered over a new connection
   */
  constructor(
    private readonly pool: Pool | undefined,
    private readonly onAnswer: () => void,
  ) {
    // The pool does not listen to connections in use. Statements get the same error, which is marked.
    const listened = new WeakSet<PoolClient>();
    pool?.on('acquire', (client) => {
      if (listened.has(client)) return;
      listened.add(client);
      client.on('error', () => undefined);
      markErrors(client);
    });
    pool?.on('release', (_error, client) => {
      // The pool drops a closed connection a moment later. Until then, it must not hand the connection out.
      if (isConnectionClosed(client) || this.unusable.has(client)) void client.end();
    });
  }

  /** Whether somebody waits until a connection is free. */
  get areWaitedFor(): boolean {
    return (this.pool?.waitingCount ?? 0) > 0;
  }

  /** @throws DatabaseUnavailableError, also when there is no time left for a statement */
  async take(deadline: Deadline): Promise<Lease> {
    const taking = {
      deadline,
      connecting: this.connect(),
      giveBack: (client: PoolClient) => client.release(),
    };
    const client = await this.takeBy(taking);
    return { client, release: (error) => client.release(breaksConnection(error)) };
  }

  /** Asks the pool for a connection, which somebody must take. @throws when none is free in time */
  connect(): Promise<PoolClient> {
    const { pool } = this;
    return pool === undefined
      ? Promise.reject(new Error('The data source is not connected'))
      : pool.connect();
  }

  /**
   * Takes a connection for a query runner, whose `release` gives it back.
   * @throws DatabaseUnavailableError, also when there is no time left for a statement; the runner is released
   */
  takeFor(runner: QueryRunner, deadline: Deadline): Promise<PoolClient> {
    const connecting = runner.connect() as Promise<PoolClient>;
    return this.takeBy({ deadline, connecting, giveBack: () => void runner.release() });
  }

  identityOf(client: PoolClient): ConnectionIdentity {
    return this.prepared.get(client)?.identity ?? UNKNOWN;
  }

  /** Whether work has been done on the connection. */
  isPrepared(client: PoolClient): boolean {
    return this.prepared.has(client);
  }

  /** Keeps a connection from going back to the pool. */
  discard(client: PoolClient): void {
    this.unusable.add(client);
  }

  /**
   * Notes an error of work on a connection. A connection that is lost, or that may not write, does not go
   * back to the pool. Where the others are probably no better, they are closed as well, unless they are in
   * use.
   * @param isHurried there was less time for the answer than usual: its loss says nothing about the others
   * @returns the error to throw
   */
  failed(client: PoolClient, error: unknown, isHurried = false): unknown {
    if (!isConnectionLost(error) && !isReadOnly(error)) return error;
    this.discard(client);
    const isOfConnection = !isReadOnly(error) || this.isOlder(client);
    const isSilent = saysNoAnswer(error) && !isHurried;
    if (isOfConnection && (isReadOnly(error) || isSilent) && this.pool !== undefined) closeIdle(this.pool);
    if (!isReadOnly(error)) return error;
    this.readOnlyAt = performance.now();
    return new DatabaseUnavailableError(error, isOfConnection);
  }

  /**
   * Returns whether a read-only connection may have been overtaken by a failover. Where it was opened after
   * another one was found to be read-only, the server itself is.
   */
  private isOlder(client: PoolClient): boolean {
    const isRecent = performance.now() - this.readOnlyAt < RECENT;
    return !isRecent || (this.prepared.get(client)?.at ?? 0) <= this.readOnlyAt;
  }

  /**
   * Takes a connection that `connect` returns.
   * @throws DatabaseUnavailableError, also when there is no time left for a statement; `giveBack` has been
   *   called, unless there is no connection
   */
  async takeBy({ deadline, connecting, giveBack }: Taking): Promise<PoolClient> {
    const client = await this.connected({ deadline, connecting, giveBack });
    try {
      deadline.requireTime();
      if (!this.prepared.has(client)) await this.prepare(client, deadline);
      return client;
    } catch (error) {
      giveBack(client);
      throw error;
    }
  }

  /** A connection that comes when nobody waits for it any more goes back to the pool. */
  private async connected({ deadline, connecting, giveBack }: Taking): Promise<PoolClient> {
    const { connectionTimeoutMillis: poolWait = 0 } = this.pool?.options ?? {};
    const isInTime = poolWait > 0 && poolWait < deadline.leftForWork;
    try {
      return await (isInTime ? connecting : deadline.wait(connecting));
    } catch (error) {
      connecting.then(giveBack, () => undefined);
      throw unavailable(error);
    }
  }

  private async prepare(client: PoolClient, deadline: Deadline): Promise<void> {
    try {
      const identity = await prepareConnection(
        client,
        deadline.answerWithin(answerTimeout(client) || Infinity),
      );
      this.prepared.set(client, { identity, at: performance.now() });
      this.onAnswer();
    } catch (error) {
      this.unusable.add(client);
      throw unavailable(error);
    }
  }
}

/** Whether a connection must not be used any more after this error of a statement. */
export function breaksConnection(error: unknown): boolean {
  return error !== undefined && !leavesConnection(error);
}

/** Nothing was sent yet. */
function unavailable(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError) return error;
  return isUnavailable(error) ? new DatabaseUnavailableError(error, isConnectionLost(error)) : error;
}

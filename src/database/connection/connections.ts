import type { Pool, PoolClient } from 'pg';
import type { Deadline } from './deadline.js';
import { isClosed, saysNoAnswer } from '../driver/driver.js';
import { DatabaseUnavailableError, NoAnswerError } from '../errors.js';
import { isConnectionLost, isReadOnly, isUnavailable } from './sqlstate.js';

/**
 * Milliseconds after which another connection is tried in place of one that is read-only, as at the first.
 */
const RECENT_MS = 1_000;

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

/**
 * Makes the server read by index, whatever it believes of the size of a table (ADR 35): the plan that it
 * keeps for a statement may be as old as the connection, and its statistics older than what was written
 * since. Where a scan cannot be avoided, it counts as so dear, before PostgreSQL 18, that the statement would
 * be compiled.
 */
const PLAN_SETTINGS = [
  'SET enable_seqscan = off',
  'SET enable_bitmapscan = off',
  'SET enable_incremental_sort = off',
  'SET jit = off',
];

/** The connections of the pool: those that work go back to it, the others are closed. */
export class Connections {
  /** When connections were used for the first time, by the clock of `performance`. */
  private readonly firstUse = new WeakMap<PoolClient, number>();
  /** Connections that were used before then are closed in place of being used again. */
  private usableSince = -Infinity;
  /** When a connection was found to be read-only. */
  private readOnlyAt = -Infinity;

  /**
   * @param pool undefined for a data source that is not connected
   * @param onAnswer called when the database has answered over a new connection
   */
  constructor(
    private readonly pool: Pool | undefined,
    onAnswer: () => void,
  ) {
    pool?.on('acquire', (client) => {
      if (this.firstUse.has(client)) return;
      this.firstUse.set(client, performance.now());
      // The pool does not listen to connections in use. Statements get the same error.
      client.on('error', () => undefined);
      // They travel with the first statement.
      for (const text of [...CHECK_CLIENT, ...PLAN_SETTINGS]) client.query(text).catch(() => undefined);
      onAnswer();
    });
  }

  /** Whether a connection is one of these. */
  has(client: PoolClient): boolean {
    return this.firstUse.has(client);
  }

  /** @throws DatabaseUnavailableError, also when there is no time left for a statement */
  async take(deadline: Deadline): Promise<PoolClient> {
    for (;;) {
      const client = await this.connect(deadline);
      if (!isClosed(client) && this.firstUseOf(client) >= this.usableSince) return client;
      client.release(true);
    }
  }

  /**
   * Gives a connection back after an error of work on it. One that is lost, or that may not write, is closed.
   * Where the others are probably no better, they are closed as well when they are not in use any more.
   * @param isHurried there was less time for the answer than usual: its loss says nothing about the others
   * @param release gives it back, or closes it
   * @returns the error to throw
   */
  failed(
    client: PoolClient,
    error: unknown,
    { isHurried = false, release = (isBroken: boolean): void => client.release(isBroken) } = {},
  ): unknown {
    release(isConnectionLost(error) || isReadOnly(error) || error instanceof NoAnswerError);
    if (isReadOnly(error)) return this.readOnly(client, error);
    if (saysNoAnswer(error) && !isHurried) this.usableSince = performance.now();
    return error;
  }

  /**
   * A read-only connection may have been overtaken by a failover. Where it was opened after another one was
   * found to be read-only, the server itself is.
   */
  private readOnly(client: PoolClient, error: unknown): DatabaseUnavailableError {
    const isRecent = performance.now() - this.readOnlyAt < RECENT_MS;
    const isOfServer = isRecent && this.firstUseOf(client) > this.readOnlyAt;
    this.readOnlyAt = performance.now();
    if (!isOfServer) this.usableSince = this.readOnlyAt;
    return new DatabaseUnavailableError(error, !isOfServer);
  }

  private firstUseOf(client: PoolClient): number {
    return this.firstUse.get(client) ?? -Infinity;
  }

  /** A connection that comes when nobody waits for it any more goes back to the pool. */
  private async connect(deadline: Deadline): Promise<PoolClient> {
    if (this.pool === undefined) throw new Error('The data source is not connected');
    deadline.requireTime();
    const connecting = this.pool.connect();
    const { connectionTimeoutMillis: poolWait = 0 } = this.pool.options;
    try {
      // The pool ends the wait itself, unless less time is left.
      return await (poolWait > 0 && poolWait < deadline.left ? connecting : deadline.wait(connecting));
    } catch (error) {
      connecting.then(
        (client) => client.release(),
        () => undefined,
      );
      throw isUnavailable(error) && !(error instanceof DatabaseUnavailableError)
        ? new DatabaseUnavailableError(error, isConnectionLost(error))
        : error;
    }
  }
}

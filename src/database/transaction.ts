import type { PoolClient, QueryResult } from 'pg';
import type { EntityTarget, ObjectLiteral, QueryRunner, Repository } from 'typeorm';
import { DatabaseUnavailableError } from './database-unavailable.error.js';
import { LONG_LIMITS } from './limits.js';
import { answerTimeout, limitAnswers, sendTogether } from './pg-internals.js';
import { sendQuery, type SentQuery } from './pg-query-internals.js';
import { OutcomeUnknownError } from './outcome-unknown.error.js';
import type { EntityReader, FindWritten, Statement } from './queryable.js';
import { isConnectionLost } from './sqlstate.js';
import type { TransactionSettings } from './transaction-settings.js';
import { markTransactionBegun } from './typeorm-internals.js';

const CURRENT_ID = { name: 'current_transaction', text: 'SELECT pg_current_xact_id()::text AS xid' };
const LONG = `SET LOCAL statement_timeout = ${LONG_LIMITS.statement};
  SET LOCAL idle_in_transaction_session_timeout = ${LONG_LIMITS.idleInTransaction}`;

/**
 * An open transaction. Repositories that must run inside one take it as an argument, so that all their
 * queries use its connection. Statements that are sent without waiting for earlier answers travel together
 * and run in the order in which they were sent. When one fails, the later ones fail too, with the error of
 * the first.
 */
export class Transaction implements EntityReader {
  /**
   * Ends with BEGIN.
   * @internal
   */
  readonly begun: Promise<void>;
  /**
   * A statement was sent that had less time for its answer than usual.
   * @internal
   */
  isHurried = false;
  /** Milliseconds after which an answer counts as lost. */
  private readonly answer: number;
  private committed: Promise<void> | undefined;
  private failure: Error | undefined;
  /** Number of statements without an answer yet. */
  private outstanding = 0;
  /** Known from the beginning, so that the outcome can be found out when the answer of COMMIT is lost. */
  private xid: string | undefined;
  /** Others write in the transaction after the work that commits. */
  private isHeld = false;
  private find: FindWritten<unknown> | undefined;
  private found: readonly unknown[] = [];

  private constructor(
    private readonly runner: QueryRunner,
    private readonly client: PoolClient,
    private readonly settings: TransactionSettings,
  ) {
    this.answer = answerTimeout(client) || Infinity;
    // TypeORM would send the isolation level after BEGIN, and wait for both.
    markTransactionBegun(runner);
    this.begun = this.sendBegin(settings);
    this.begun.catch(() => undefined);
  }

  /**
   * Sends BEGIN.
   * @internal: extensions get a transaction that has begun, and their compiler needs no types of pg
   */
  static begin(runner: QueryRunner, client: PoolClient, settings: TransactionSettings): Transaction {
    return new Transaction(runner, client, settings);
  }

  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> {
    const { deadline } = this.settings;
    deadline.requireTime();
    // TypeORM's statements have the limit of the connection.
    limitAnswers(this.client, this.limited(deadline.answerWithin(this.answer)));
    return this.runner.manager.getRepository(entity);
  }

  async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    this.requireOpen();
    const [result] = await Promise.all([this.send({ ...statement, values }), this.begun]);
    return result.rows as Row[];
  }

  /**
   * Tells the id of the transaction, where a statement of the work has read it (the option `identified`).
   * @internal
   */
  identify(xid: string): void {
    this.xid = xid;
  }

  /**
   * Runs work of others as part of this transaction, which undoes what the work wrote where it fails. The
   * work does not commit.
   */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    const before = this.isHeld;
    this.isHeld = true;
    try {
      return await this.guard(work);
    } finally {
      this.isHeld = before;
    }
  }

  /**
   * As `query`, with COMMIT sent right behind it. Where the statement fails, nothing is committed. Nothing
   * can be queried after it, and nothing that may throw should be done: it would report as failed what is
   * committed.
   * @param find where the answers are lost
   * @internal
   */
  async queryLast<Row>(
    statement: Statement,
    values: readonly unknown[],
    find: FindWritten<Row>,
  ): Promise<Row[]> {
    if (this.isHeld) return this.query<Row>(statement, values);
    await this.begun;
    // From here on nothing may throw before COMMIT is sent, nor keep the statement from being sent.
    this.requireOpen();
    this.find = find;
    const answer = this.send({ ...statement, values }).catch((error: unknown) => {
      if (isConnectionLost(error)) return undefined;
      throw error;
    });
    const committed = this.commit();
    committed.catch(() => undefined);
    const result = await answer;
    await committed;
    return [...((result?.rows ?? this.found) as readonly Row[])];
  }

  async guard<T>(work: () => Promise<T>): Promise<T> {
    await this.begun;
    await this.send({ text: 'SAVEPOINT guard' });
    try {
      const result = await work();
      await this.send({ text: 'RELEASE SAVEPOINT guard' });
      return result;
    } catch (error) {
      this.failure = undefined;
      // ROLLBACK TO keeps the savepoint, and a guard around this one would go back to it and not to its own.
      await this.send({ text: 'ROLLBACK TO SAVEPOINT guard; RELEASE SAVEPOINT guard' });
      throw error;
    }
  }

  /**
   * Commits unless COMMIT was sent already. Where its answer is lost, finds out whether it has happened.
   * @throws when PostgreSQL had to roll back, the error that made it do so; DatabaseUnavailableError when
   *   the connection was lost and nothing is committed; OutcomeUnknownError
   * @internal
   */
  commit(): Promise<void> {
    this.committed ??= this.sendCommit();
    return this.committed;
  }

  /**
   * Undoes everything, or waits until a COMMIT that was sent has come to its end, good or bad. ROLLBACK may
   * be answered after the deadline: the connection then works on.
   * @internal
   */
  async rollback(): Promise<void> {
    if (this.committed === undefined) await this.sendWithin(this.answerLimit, { text: 'ROLLBACK' });
    else await this.committed.catch(() => undefined);
  }

  /**
   * Whether each statement so far was answered, and none has failed.
   * @internal
   */
  get isSound(): boolean {
    return this.failure === undefined && this.outstanding === 0;
  }

  /** @throws DatabaseUnavailableError when there is no time left for a statement */
  private requireOpen(): void {
    if (this.committed !== undefined) throw new Error('The transaction has ended');
    this.settings.deadline.requireTime();
  }

  /** Notes a limit for an answer that is shorter than usual. */
  private limited(milliseconds: number): number {
    if (milliseconds < this.answer) this.isHurried = true;
    return milliseconds;
  }

  private async sendBegin({ isolation, readOnly, identified, long }: TransactionSettings): Promise<void> {
    const text = `BEGIN ISOLATION LEVEL ${isolation}${readOnly ? ' READ ONLY' : ''}${long ? `; ${LONG}` : ''}`;
    const begun = this.send({ text });
    if (readOnly || identified) {
      await begun;
      return;
    }
    const [id] = await Promise.all([this.send(CURRENT_ID), begun]);
    this.xid = (id.rows as { xid: string }[])[0]?.xid;
  }

  private async sendCommit(): Promise<void> {
    const { xid, find } = this;
    const sentAt = performance.now();
    try {
      const { command } = await this.send({ text: 'COMMIT' });
      if (command === 'COMMIT') return;
      throw this.failure ?? new Error('A transaction with a failed statement cannot be committed');
    } catch (error) {
      if (!isConnectionLost(error) || this.settings.readOnly) throw error;
      if (xid === undefined) throw new OutcomeUnknownError(error);
      const found = await this.settings.settle({ xid, sentAt, find });
      if (found === undefined) throw new DatabaseUnavailableError(error, true);
      this.found = found;
    }
  }

  /**
   * Sends a statement. All statements that the running code sends travel as one packet when it has finished.
   * The driver's time limit for an answer starts at the same time, so the limit of a statement also includes
   * the limits of those before it.
   */
  private send(query: Omit<SentQuery, 'limit'>): Promise<QueryResult> {
    return this.sendWithin(this.limited(this.settings.deadline.answerWithin(this.answerLimit)), query);
  }

  /** Milliseconds after which the answer of the next statement counts as lost. */
  private get answerLimit(): number {
    return this.answer * (this.outstanding + 1);
  }

  private async sendWithin(limit: number, query: Omit<SentQuery, 'limit'>): Promise<QueryResult> {
    sendTogether(this.client);
    this.outstanding += 1;
    try {
      return await sendQuery(this.client, { ...query, limit });
    } catch (error) {
      this.failure ??= error as Error;
      throw this.failure;
    } finally {
      this.outstanding -= 1;
    }
  }
}

import type { PoolClient, QueryResult } from 'pg';
import type { DataSource, EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import { type Deadline, LONG_LIMITS } from './deadline.js';
import { entitiesOver, saysNotSent, sendLimited, sendTogether, type SentQuery } from '../driver/driver.js';
import { DatabaseUnavailableError, OutcomeUnknownError } from '../errors.js';
import type { Distribution } from './distribution.js';
import type { EntityReader, Statement } from '../queryable.js';
import { isConnectionLost, unlessRefused } from './sqlstate.js';

/** Options of a transaction. */
export interface TransactionOptions {
  /** Default READ COMMITTED. */
  readonly isolation?: 'READ COMMITTED' | 'REPEATABLE READ';
  /**
   * Starts the work before BEGIN is answered. The first statement of the work must then go through `query`
   * and must write nothing: if BEGIN fails, that statement has run outside the transaction.
   */
  readonly eager?: boolean;
  /** Writes nothing. The result does not wait for the answer of COMMIT. */
  readonly readOnly?: boolean;
  /** May take up to ten minutes, with statements of up to 30 s: for an administrator, not for a request. */
  readonly long?: boolean;
  /** Undoes what the work wrote, and returns what it returned. */
  readonly dryRun?: boolean | undefined;
  /**
   * Settings of PostgreSQL, by name. They are sent with BEGIN, as SQL, and hold until the transaction ends;
   * those of a part, too, for what comes behind it.
   */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Options of several reads. A plan that is kept for all values must not read a whole table that was empty
 * when it was made.
 */
export const ONE_SNAPSHOT: TransactionOptions = {
  isolation: 'REPEATABLE READ',
  readOnly: true,
  eager: true,
  settings: { enable_seqscan: 'off' },
};

/** Where a transaction runs, and until when. */
interface TransactionPlace {
  readonly dataSource: DataSource;
  readonly distribution: Distribution;
  readonly client: PoolClient;
  readonly deadline: Deadline;
  /** Milliseconds after which an answer counts as lost. */
  readonly answer: number;
}

const LONG = {
  statement_timeout: String(LONG_LIMITS.statement),
  idle_in_transaction_session_timeout: String(LONG_LIMITS.idleInTransaction),
};

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
  readonly begun: Promise<unknown>;
  /**
   * A statement was sent that had less time for its answer than usual.
   * @internal
   */
  isHurried = false;
  private readonly isReadOnly: boolean;
  private entities: EntityManager | undefined;
  private committed: Promise<void> | undefined;
  private failure: Error | undefined;
  /** Number of statements without an answer yet. */
  private outstanding = 0;
  /** Others write in the transaction after the work that commits. */
  private isPart = false;

  /**
   * Sends BEGIN.
   * @internal: extensions get a transaction that has begun, and their compiler needs no types of pg
   */
  constructor(
    private readonly place: TransactionPlace,
    { isolation = 'READ COMMITTED', readOnly = false, long = false, settings }: TransactionOptions,
  ) {
    this.isReadOnly = readOnly;
    const begin = `BEGIN ISOLATION LEVEL ${isolation}${readOnly ? ' READ ONLY' : ''}`;
    this.begun = this.send({ text: `${begin}${this.setLocal(long ? { ...LONG, ...settings } : settings)}` });
    this.begun.catch(() => undefined);
  }

  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> {
    this.requireOpen();
    this.entities ??= entitiesOver(this.place.dataSource, this.place.client);
    return this.entities.getRepository(entity);
  }

  async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    this.requireOpen();
    const { distribution } = this.place;
    const { steps, isRefusable } = distribution.sendingOf(statement);
    // Where it is refused, what comes behind it is written all the same.
    if (isRefusable === true) return unlessRefused(this.savepoint(() => this.last<Row>(statement, values)));
    const send = async (query: SentQuery): Promise<object[]> => (await this.send(query)).rows as object[];
    const sent =
      steps === undefined
        ? distribution.rows<Row>(statement, values, send)
        : this.last<Row>(statement, values);
    const [rows] = await Promise.all([sent, this.begun]);
    return rows;
  }

  /** Sends a statement. @returns the rows of the last of what it is sent as */
  private async last<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const queries = this.place.distribution.queriesOf(statement, values);
    const answers = await Promise.all(queries.map((query) => this.send(query)));
    return answers.at(-1)?.rows as Row[];
  }

  /**
   * As `query`, with COMMIT sent right behind it. Where the statement fails, nothing is committed. Nothing
   * can be queried after it, and nothing that may throw should be done: it would report as failed what is
   * committed.
   * @internal
   */
  async queryLast<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    if (this.isPart) return this.query<Row>(statement, values);
    await this.begun;
    // From here on nothing may throw before COMMIT is sent, nor keep the statement from being sent.
    this.requireOpen();
    const [rows, committed] = await Promise.allSettled([this.last<Row>(statement, values), this.commit()]);
    if (committed.status === 'rejected') throw committed.reason as Error;
    return (rows as PromiseFulfilledResult<Row[]>).value;
  }

  /**
   * Runs work of others as part of this transaction, which undoes what the work wrote where it fails. The
   * work does not commit.
   */
  async asPart<T>(work: () => Promise<T>): Promise<T> {
    const before = this.isPart;
    this.isPart = true;
    try {
      return await this.savepoint(work);
    } finally {
      this.isPart = before;
    }
  }

  async savepoint<T>(work: () => Promise<T>, settings?: TransactionOptions['settings']): Promise<T> {
    await this.begun;
    await this.send({ text: `SAVEPOINT part${this.setLocal(settings)}` });
    try {
      const result = await work();
      await this.send({ text: 'RELEASE SAVEPOINT part' });
      return result;
    } catch (error) {
      // The transaction is gone, and the savepoint with it.
      if (isConnectionLost(error)) throw error;
      // ROLLBACK TO keeps the savepoint, and one around this would go back to it and not to its own.
      await this.send({ text: 'ROLLBACK TO SAVEPOINT part; RELEASE SAVEPOINT part' });
      // Behind it: what was sent together with what has failed has failed too by now.
      this.failure = undefined;
      throw error;
    }
  }

  /**
   * Commits unless COMMIT was sent already.
   * @throws when PostgreSQL had to roll back, the error that made it do so; OutcomeUnknownError when the
   *   answer of COMMIT was lost
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
   * Whether COMMIT was sent.
   * @internal
   */
  get isEnding(): boolean {
    return this.committed !== undefined;
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
    this.place.deadline.requireTime();
  }

  private async sendCommit(): Promise<void> {
    // Over a connection that is lost already, COMMIT is not sent.
    if (isConnectionLost(this.failure)) throw this.failure as Error;
    let command: string;
    try {
      ({ command } = await this.send({ text: 'COMMIT' }));
    } catch (error) {
      const isUndone = this.isReadOnly || saysNotSent(error);
      throw isConnectionLost(error) && !isUndone ? new OutcomeUnknownError(error) : error;
    }
    if (command === 'COMMIT') return;
    // A node of a cluster whose session of another one was lost lives on, and has rolled back.
    if (isConnectionLost(this.failure)) throw new DatabaseUnavailableError(this.failure, true);
    throw this.failure ?? new Error('A transaction with a failed statement cannot be committed');
  }

  /**
   * Sends a statement. All statements that the running code sends travel as one packet when it has finished.
   * The driver's time limit for an answer starts at the same time, so the limit of a statement also includes
   * the limits of those before it.
   */
  private send(query: SentQuery): Promise<QueryResult> {
    const usual = this.answerLimit;
    const limit = this.place.deadline.answerWithin(usual);
    if (limit < usual) this.isHurried = true;
    return this.sendWithin(limit, query);
  }

  /** Returns what follows BEGIN or SAVEPOINT. */
  private setLocal(settings: TransactionOptions['settings'] = {}): string {
    const { isDistributed } = this.place.distribution;
    return (
      Object.entries(settings)
        // With one plan for all values, a cluster does not find the node of an account.
        .filter(([name]) => !isDistributed || name !== 'plan_cache_mode')
        .map(([name, value]) => `; SET LOCAL ${name} = '${value}'`)
        .join('')
    );
  }

  /** Milliseconds after which the answer of the next statement counts as lost. */
  private get answerLimit(): number {
    return this.place.answer * (this.outstanding + 1);
  }

  private async sendWithin(limit: number, query: SentQuery): Promise<QueryResult> {
    const { client } = this.place;
    sendTogether(client);
    this.outstanding += 1;
    try {
      return await sendLimited(client, query, limit);
    } catch (error) {
      // That the connection is lost is worth more than what failed before it.
      if (this.failure === undefined || (isConnectionLost(error) && !isConnectionLost(this.failure)))
        this.failure = error as Error;
      throw this.failure;
    } finally {
      this.outstanding -= 1;
    }
  }
}

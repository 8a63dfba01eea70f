import type { DataSource } from 'typeorm';
import {
  type DatabaseLimits,
  Deadline,
  DEFAULT_LIMITS,
  LONG_LIMITS,
  workLimit,
} from './connection/deadline.js';
import { Distribution } from './connection/distribution.js';
import type { NodeUse } from './connection/node-use.js';
import { Nodes } from './connection/nodes.js';
import { limitAnswers, poolOf, saysNotSent, sendLimited, sendTogether } from './driver/driver.js';
import { DatabaseUnavailableError, errorCode, NoAnswerError, OutcomeUnknownError, Undone } from './errors.js';
import { OutageLog } from './connection/outage-log.js';
import { isRead, type EntityReader, type Queryable, type Statement } from './queryable.js';
import { retry } from './connection/retry.js';
import { SharedCommits } from './connection/shared-commits.js';
import { type Lease, SharedReads } from './connection/shared-reads.js';
import {
  isAnswered,
  isConnectionLost,
  isOutage,
  isReadOnly,
  isUnanswered,
  SQLSTATE,
  unlessRefused,
} from './connection/sqlstate.js';
import { ONE_SNAPSHOT, Transaction, type TransactionOptions } from './connection/transaction.js';

/** On whose behalf work runs. */
export interface WorkScope {
  /** The account. */
  readonly accountId?: string;
  /** When its request must be answered. */
  readonly deadline?: Deadline | undefined;
  /** What the work is part of. */
  readonly transaction?: Transaction | undefined;
}

/** How the connections of the pool are used. */
export interface PoolUse {
  readonly open: number;
  readonly idle: number;
  /** Work that waits for a connection. */
  readonly waiting: number;
}

/** What a database and those for its requests have in common. */
interface DatabaseParts {
  readonly dataSource: DataSource;
  readonly nodes: Nodes;
  readonly commits: SharedCommits;
  readonly reads: SharedReads;
  readonly outages: OutageLog;
  readonly distribution: Distribution;
  /** Milliseconds of the longest wait for a connection, and for an answer. */
  readonly limits: Pick<DatabaseLimits, 'poolWait' | 'answer'>;
}

/**
 * The database as other rooms use it: single statements, and transactions as arguments. Each unit of work
 * ends within nine seconds, reruns included, and before the deadline of the request that it is for.
 *
 * Work that provably has not happened is rerun: reads, and transactions of which COMMIT was not sent. A write
 * whose answer was lost throws OutcomeUnknownError. DatabaseUnavailableError means: nothing happened (ADR
 * 14).
 */
export class Database implements Queryable {
  /** @internal: `Database.of` */
  constructor(
    private readonly parts: DatabaseParts,
    private readonly scope: WorkScope = {},
  ) {}

  /**
   * @param dataSource one that is not connected has no pool: the OpenAPI document is made with such
   * @internal
   */
  static of(dataSource: DataSource, outages = new OutageLog()): Database {
    const pool = poolOf(dataSource);
    const limits = {
      poolWait: pool?.options.connectionTimeoutMillis || DEFAULT_LIMITS.poolWait,
      answer: pool?.options.query_timeout || DEFAULT_LIMITS.answer,
    };
    const nodes = new Nodes(pool, () => outages.answered());
    const distribution = new Distribution();
    const commits = new SharedCommits(nodes, limits);
    const reads = new SharedReads(nodes);
    return new Database({ dataSource, nodes, commits, reads, outages, distribution, limits });
  }

  /**
   * Returns the database for the work of a request, which ends before the request must be answered. Where the
   * scope has a transaction, all work is part of that.
   */
  for(scope: WorkScope): Database {
    // Work in the background has nothing of a scope but a node.
    return scope.transaction === undefined && scope.deadline === undefined && !this.isDistributed
      ? this
      : new Database(this.parts, scope);
  }

  /**
   * Learns whether the tables are distributed. Until then they count as those of plain PostgreSQL.
   * @internal
   */
  async learn(): Promise<this> {
    const { dataSource, distribution } = this.parts;
    if (dataSource.isInitialized) await distribution.learn(dataSource);
    await this.learnNodes();
    return this;
  }

  /** Whether the address names several hosts, which may be the nodes of a cluster. */
  get hasHosts(): boolean {
    return this.parts.nodes.hosts !== undefined;
  }

  /**
   * Learns which node has which accounts, so that connections go there, and which nodes answer. Does nothing
   * where nothing is distributed.
   * @internal
   */
  async learnNodes(): Promise<void> {
    if (this.isDistributed) await this.parts.nodes.learn();
  }

  /** @internal */
  close(): Promise<void> {
    return this.parts.nodes.close();
  }

  /** The nodes of a cluster, where connections go to the nodes of accounts. */
  get nodes(): NodeUse[] {
    return this.parts.nodes.use;
  }

  /**
   * Whether the tables are distributed: then one statement writes rows of one account, where several do not
   * wait for each other.
   */
  get isDistributed(): boolean {
    return this.parts.distribution.isDistributed;
  }

  /** Runs one statement, which is its own transaction or shares one. It is rerun like a transaction. */
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const { transaction, accountId } = this.scope;
    if (transaction !== undefined) return transaction.query<Row>(statement, values);
    const { commits, limits, distribution } = this.parts;
    return this.retried(this.deadline(), (deadline) => {
      const alone = (): Promise<Row[]> => this.alone<Row>(statement, values, deadline);
      return accountId !== undefined && statement.sharesCommit === true && deadline.left > limits.answer
        ? commits.run(accountId, { queries: distribution.queriesOf(statement, values), deadline, alone })
        : alone();
    });
  }

  /**
   * Runs a statement that has something to do in any account, outside of transactions. A cluster runs it for
   * one account at a time, whose id is one more parameter, the last.
   * @param find with its values: the accounts in which it has something to do, rows `accountId`
   */
  async sweep<Row>(
    statement: Statement,
    values: readonly unknown[],
    [find, ...of]: readonly [find: Statement, ...values: unknown[]],
  ): Promise<Row[]> {
    const isWhole = (): boolean => !this.isDistributed;
    if (isWhole()) {
      try {
        return await this.query<Row>(statement, values);
      } catch (error) {
        // The tables may have been distributed in the meantime.
        if (isWhole()) throw error;
      }
    }
    const rows: Row[] = [];
    for (const { accountId } of await this.query<{ accountId: string }>(find, of))
      rows.push(...(await this.for({ accountId }).query<Row>(statement, [...values, accountId])));
    return rows;
  }

  /** Runs work that only reads, and may do so through TypeORM. It is rerun where a connection is lost. */
  read<T>(work: (db: EntityReader) => Promise<T>): Promise<T> {
    const { transaction, accountId } = this.scope;
    if (transaction !== undefined) return work(transaction);
    // Through TypeORM's own pool, a cluster would be asked at any node.
    if (this.isDistributed && accountId !== undefined) return this.transaction(work, { readOnly: true });
    const reader: EntityReader = {
      repository: (entity) => this.parts.dataSource.getRepository(entity),
      query: (statement, values) => this.query(statement, values),
      savepoint: (part) => part(),
    };
    return this.retried(this.deadline(), async (deadline) => {
      try {
        return await deadline.wait(work(reader));
      } catch (error) {
        throw isConnectionLost(error) ? new DatabaseUnavailableError(error, true) : error;
      }
    });
  }

  /** A single statement writes nothing when it fails, so there is nothing to undo but in a transaction. */
  savepoint<T>(work: () => Promise<T>): Promise<T> {
    return this.scope.transaction === undefined ? work() : this.scope.transaction.savepoint(work);
  }

  /**
   * Runs `work` in a transaction and commits; as a part of the scope's transaction where there is one. A
   * serialization failure, a deadlock, a lost connection, or too long a wait for a lock reruns the whole of
   * `work` in a new transaction. It runs at most five times, and after waits for locks as often as five
   * seconds allow. It must therefore have no effects outside the transaction.
   */
  transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    { dryRun = false, ...options }: TransactionOptions = {},
  ): Promise<T> {
    if (dryRun) return this.undone(work, options);
    const { transaction } = this.scope;
    if (transaction !== undefined) return transaction.savepoint(() => work(transaction), options.settings);
    const whole = options.long === true ? new Deadline(LONG_LIMITS.work) : this.deadline();
    return this.retried(whole, (deadline) => this.attempt(work, options, deadline));
  }

  private async undone<T>(
    work: (transaction: Transaction) => Promise<T>,
    options: TransactionOptions,
  ): Promise<T> {
    const thrown = async (transaction: Transaction): Promise<never> => {
      throw new Undone(await transaction.asPart(() => work(transaction)));
    };
    try {
      return await this.transaction(thrown, options);
    } catch (error) {
      if (error instanceof Undone) return error.result as T;
      throw error;
    }
  }

  /** Most connections that can be in use at a time; 1 for a data source that is not connected. */
  get connections(): number {
    return poolOf(this.parts.dataSource)?.options.max ?? 1;
  }

  /** The names of the migrations that this release knows. */
  get migrations(): readonly string[] {
    return this.parts.dataSource.migrations.flatMap(({ name }) => name ?? []);
  }

  /** The connections of the pool at this instant, and how much work waits for one. */
  get use(): PoolUse {
    const pool = poolOf(this.parts.dataSource);
    return { open: pool?.totalCount ?? 0, idle: pool?.idleCount ?? 0, waiting: pool?.waitingCount ?? 0 };
  }

  /** That of a unit of work that begins. */
  private deadline(): Deadline {
    return new Deadline(workLimit(this.parts.limits), this.scope.deadline);
  }

  /** TypeORM has no named statements, which make reads 1.2 times as fast (ADR 8). */
  private async alone<Row>(
    statement: Statement,
    values: readonly unknown[],
    deadline: Deadline,
  ): Promise<Row[]> {
    const { limits, distribution } = this.parts;
    const { steps, isRefusable, lines, beside } = distribution.sendingOf(statement);
    if (steps !== undefined) {
      const write = this.attempt((tx) => tx.queryLast<Row>(statement, values), {}, deadline);
      return isRefusable === true ? unlessRefused(write) : write;
    }
    if (lines !== undefined)
      return this.attempt((tx) => tx.query<Row>(statement, values), ONE_SNAPSHOT, deadline);
    const { client, release, failed } = await this.lease(statement, deadline);
    const limit = deadline.answerWithin(limits.answer);
    try {
      const rows = await distribution.rows<Row>(statement, values, async (query) => {
        if (beside !== undefined) sendTogether(client);
        return (await sendLimited(client, query, limit)).rows as object[];
      });
      release();
      return rows;
    } catch (error) {
      const reported = failed(error, limit < limits.answer);
      if (!isConnectionLost(error)) throw reported;
      const isUndone = isRead(statement) || saysNotSent(error);
      throw isUndone ? new DatabaseUnavailableError(error, true) : new OutcomeUnknownError(error);
    }
  }

  /** Returns a connection for a statement. One that has less time than usual has it for itself. */
  private async lease({ isBrief }: Statement, deadline: Deadline): Promise<Lease> {
    const { nodes, reads, limits } = this.parts;
    const { accountId } = this.scope;
    if (isBrief === true && accountId !== undefined && deadline.left > limits.answer) {
      return reads.take(accountId, deadline);
    }
    const client = await nodes.take(deadline, accountId);
    return {
      client,
      release: () => client.release(),
      failed: (error, isHurried) => nodes.failed(client, error, { isHurried }),
    };
  }

  private async attempt<T>(
    work: (transaction: Transaction) => Promise<T>,
    options: TransactionOptions,
    deadline: Deadline,
  ): Promise<T> {
    const { dataSource, nodes, limits, distribution } = this.parts;
    const client = await nodes.take(deadline, this.scope.accountId);
    const { long = false } = options;
    const answer = long ? LONG_LIMITS.answer : limits.answer;
    const restoreLimit = long ? limitAnswers(client, answer) : undefined;
    const release = (error?: unknown): unknown => {
      restoreLimit?.();
      if (error !== undefined) return nodes.failed(client, error, { isHurried: transaction.isHurried });
      client.release();
      return undefined;
    };
    const transaction = new Transaction({ dataSource, distribution, client, deadline, answer }, options);
    try {
      if (options.eager !== true) await transaction.begun;
      const result = await deadline.wait(work(transaction));
      const isRead = options.readOnly === true && transaction.isSound;
      const committed = transaction.commit();
      // What was read is right whatever becomes of COMMIT. The next user's statements travel behind it.
      if (isRead) committed.catch(() => undefined);
      else await committed;
      release();
      return result;
    } catch (reason) {
      // The time may run out while COMMIT is on its way.
      const isLate = reason instanceof NoAnswerError && transaction.isEnding;
      const error = isLate ? new OutcomeUnknownError(reason) : reason;
      if (isReadOnly(error)) throw release(error);
      if (error instanceof OutcomeUnknownError) {
        release(error.cause);
        throw error;
      }
      // PostgreSQL itself undoes the work where the connection is lost.
      if (isConnectionLost(error)) {
        release(error);
        throw new DatabaseUnavailableError(error, true);
      }
      // When the request must be answered, the connection goes back to the pool behind it.
      const undone = transaction.rollback().then(() => release(), release);
      await deadline.wait(undone).catch(() => undefined);
      throw error;
    }
  }

  private async retried<T>(deadline: Deadline, attempt: (deadline: Deadline) => Promise<T>): Promise<T> {
    const { outages, limits } = this.parts;
    const since = outages.now();
    const before = this.isDistributed;
    try {
      const options = { deadline, reserve: limits.poolWait, onError: this.noteAnswer };
      const result = await retry(() => attempt(deadline), options);
      outages.succeeded();
      return result;
    } catch (error) {
      if (errorCode(error) === SQLSTATE.notSupported && !before && (await this.isNowDistributed())) {
        return this.retried(deadline, attempt);
      }
      if (isUnanswered(error)) outages.unanswered(since, limits.answer);
      else if (isOutage(error)) outages.failed(error);
      throw error;
    }
  }

  /** Whether the tables were distributed while this process had statements for plain PostgreSQL. */
  private async isNowDistributed(): Promise<boolean> {
    const { distribution, dataSource } = this.parts;
    await distribution.learn(dataSource).catch(() => undefined);
    return distribution.isDistributed;
  }

  /** Notes an error that PostgreSQL has answered, such as too long a wait for a lock. */
  private readonly noteAnswer = (error: unknown): void => {
    if (isAnswered(error)) this.parts.outages.answered();
  };
}

import type { DataSource, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import { Connections } from './connections.js';
import { DatabaseUnavailableError } from './database-unavailable.error.js';
import { Deadline } from './deadline.js';
import { DEFAULT_LIMITS, LONG_LIMITS, workLimit } from './limits.js';
import { OutageLog } from './outage-log.js';
import { OutcomeQuestions } from './outcome-questions.js';
import { Outcomes } from './outcomes.js';
import type { FindWritten, Queryable, Statement } from './queryable.js';
import { rerun } from './rerun.js';
import { SingleStatements } from './single-statements.js';
import { isConnectionLost, isUnavailable } from './sqlstate.js';
import type { Isolation } from './transaction-settings.js';
import type { Transaction } from './transaction.js';
import { Transactions } from './transactions.js';
import { poolOf } from './typeorm-internals.js';

/** Options of a transaction. */
export interface TransactionOptions {
  /** Default READ COMMITTED. */
  readonly isolation?: Isolation;
  /**
   * Starts the work before BEGIN is answered. The first statement of the work must then go through `query`
   * and must write nothing: if BEGIN fails, that statement has run outside the transaction.
   */
  readonly eager?: boolean;
  /** Writes nothing. */
  readonly readOnly?: boolean;
  /** The work reads the id of the transaction and tells it (`identify`), which saves a statement. */
  readonly identified?: boolean;
  /** May take up to ten minutes, with statements of up to 30 s: for an administrator, not for a request. */
  readonly long?: boolean;
}

/**
 * The database as other rooms use it: single statements, and transactions as arguments. Each is a unit of
 * work that ends within nine seconds, reruns included.
 *
 * Work whose connection was lost is rerun on another one where it provably has not happened: reads, and
 * transactions that are not committed. What became of a write whose answer was lost is found out first. Where
 * it cannot be known, the write throws OutcomeUnknownError. DatabaseUnavailableError means: nothing happened.
 */
export class Database implements Queryable {
  private readonly statements: SingleStatements;
  private readonly transactions: Transactions;
  private readonly questions: OutcomeQuestions;
  private readonly limits: { readonly poolWait: number; readonly answer: number };

  constructor(
    private readonly dataSource: DataSource,
    private readonly outages = new OutageLog(),
  ) {
    // A data source that is not connected has no pool. The OpenAPI document is made with such a data source.
    const pool = poolOf(dataSource);
    this.questions = new OutcomeQuestions(dataSource);
    const outcomes = new Outcomes(this.questions);
    const connections = new Connections(pool);
    this.transactions = new Transactions(dataSource, connections, outcomes);
    this.limits = {
      poolWait: pool?.options.connectionTimeoutMillis || DEFAULT_LIMITS.poolWait,
      answer: pool?.options.query_timeout || DEFAULT_LIMITS.answer,
    };
    this.statements = new SingleStatements(connections, outcomes, this.limits.answer);
  }

  /** Most connections that can be in use at a time; 1 for a data source that is not connected. */
  get connections(): number {
    return poolOf(this.dataSource)?.options.max ?? 1;
  }

  /** Closes the connections beside those of the data source. */
  close(): Promise<void> {
    return this.questions.close();
  }

  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> {
    return this.dataSource.getRepository(entity);
  }

  /** Runs one statement, which is its own transaction and is rerun like one. */
  query<Row>(statement: Statement, values: readonly unknown[], find?: FindWritten<Row>): Promise<Row[]> {
    // TypeORM's query runner has no named statements, which make reads 1.2 times as fast (ADR 8).
    return this.run(workLimit(this.limits), (deadline) =>
      this.statements.run<Row>(statement, values, { deadline, find }),
    );
  }

  /** Runs work that only reads, and does so through `repository`. It is rerun where a connection is lost. */
  read<T>(work: () => Promise<T>): Promise<T> {
    return this.run(workLimit(this.limits), async () => {
      try {
        return await work();
      } catch (error) {
        throw isConnectionLost(error) ? new DatabaseUnavailableError(error, true) : error;
      }
    });
  }

  /** A single statement writes nothing when it fails, so there is nothing to undo. */
  guard<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  /**
   * Runs `work` in a transaction and commits. A serialization failure, a deadlock, a lost connection, or too
   * long a wait for a lock reruns the whole of `work` in a new transaction. It runs at most five times, and
   * after waits for locks as often as five seconds allow. It must therefore have no effects outside the
   * transaction.
   */
  transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    { isolation = 'READ COMMITTED', ...options }: TransactionOptions = {},
  ): Promise<T> {
    const { eager = false, readOnly = false, identified = false, long = false } = options;
    const settings = { isolation, eager, readOnly, identified, long };
    const limit = long ? LONG_LIMITS.work : workLimit(this.limits);
    return this.run(limit, (deadline) => this.transactions.run(work, { ...settings, deadline }));
  }

  private async run<T>(limit: number, attempt: (deadline: Deadline) => Promise<T>): Promise<T> {
    const deadline = new Deadline(limit);
    try {
      const result = await rerun(() => attempt(deadline), { deadline, reserve: this.limits.poolWait });
      this.outages.succeeded();
      return result;
    } catch (error) {
      if (isUnavailable(error)) this.outages.failed(error);
      throw error;
    }
  }
}

import type { DataSource } from 'typeorm';
import { DatabaseUnavailableError } from './database-unavailable.error.js';
import { Deadline } from './deadline.js';
import { LONG_LIMITS, workLimit } from './limits.js';
import type { OutageLog } from './outage-log.js';
import type { EntityReader, FindWritten, Queryable, Statement } from './queryable.js';
import { rerun } from './rerun.js';
import { isConnectionLost, isOutage, isUnanswered, leavesConnection } from './sqlstate.js';
import type { Isolation, TransactionSettings } from './transaction-settings.js';
import type { Transaction } from './transaction.js';

/** Options of a transaction. */
export interface TransactionOptions {
  /** Default READ COMMITTED. */
  readonly isolation?: Isolation;
  /**
   * Starts the work before BEGIN is answered. The first statement of the work must then go through `query`
   * and must write nothing: if BEGIN fails, that statement has run outside the transaction.
   */
  readonly eager?: boolean;
  /**
   * Writes nothing. The result does not wait for the answer of COMMIT, unless somebody waits for a
   * connection. So locks that the work has taken may be held for a moment longer.
   */
  readonly readOnly?: boolean;
  /** The work reads the id of the transaction and tells it (`identify`), which saves a statement. */
  readonly identified?: boolean;
  /** May take up to ten minutes, with statements of up to 30 s: for an administrator, not for a request. */
  readonly long?: boolean;
}

/**
 * What all units of work use. It is declared without the types of the driver, which packages that build on
 * this project do not have.
 */
export interface DatabaseParts {
  readonly dataSource: DataSource;
  /** See SingleStatements. */
  readonly statements: {
    run<Row>(
      statement: Statement,
      values: readonly unknown[],
      options: {
        readonly deadline: Deadline;
        readonly find: FindWritten<Row> | undefined;
        readonly holder: string | undefined;
      },
    ): Promise<Row[]>;
  };
  /** See Transactions. */
  readonly transactions: {
    run<T>(
      work: (transaction: Transaction) => Promise<T>,
      settings: Omit<TransactionSettings, 'settle'>,
    ): Promise<T>;
  };
  readonly outages: OutageLog;
  /** Milliseconds of the longest wait for a connection, and for an answer. */
  readonly limits: { readonly poolWait: number; readonly answer: number };
}

/**
 * Units of work: single statements, and transactions as arguments. Each ends within nine seconds, reruns
 * included, and before the deadline of the request that it is for.
 *
 * Work whose connection was lost is rerun on another one where it provably has not happened: reads, and
 * transactions that are not committed. What became of a write whose answer was lost is found out first. Where
 * it cannot be known, the write throws OutcomeUnknownError. DatabaseUnavailableError means: nothing happened.
 */
export class UnitsOfWork implements Queryable {
  /** @param request deadline and account of the request; none where the work is for none */
  constructor(
    protected readonly parts: DatabaseParts,
    private readonly request: { readonly whole?: Deadline; readonly holder?: string | undefined } = {},
  ) {}

  /** Runs one statement, which is its own transaction or shares one. It is rerun like a transaction. */
  query<Row>(statement: Statement, values: readonly unknown[], find?: FindWritten<Row>): Promise<Row[]> {
    // TypeORM's query runner has no named statements, which make reads 1.2 times as fast (ADR 8).
    const { holder } = this.request;
    return this.runUntil(this.deadline(), (deadline) =>
      this.parts.statements.run<Row>(statement, values, { deadline, find, holder }),
    );
  }

  /** Runs work that only reads, and may do so through TypeORM. It is rerun where a connection is lost. */
  read<T>(work: (db: EntityReader) => Promise<T>): Promise<T> {
    const reader: EntityReader = {
      repository: (entity) => this.parts.dataSource.getRepository(entity),
      query: (statement, values) => this.query(statement, values),
      guard: (part) => this.guard(part),
    };
    return this.runUntil(this.deadline(), async (deadline) => {
      try {
        return await deadline.wait(work(reader));
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
    const attempt = (deadline: Deadline): Promise<T> =>
      this.parts.transactions.run(work, { ...settings, deadline });
    return this.runUntil(long ? new Deadline(LONG_LIMITS.work) : this.deadline(), attempt);
  }

  /** That of a unit of work that begins. */
  private deadline(): Deadline {
    return new Deadline(workLimit(this.parts.limits), this.request.whole);
  }

  private async runUntil<T>(deadline: Deadline, attempt: (deadline: Deadline) => Promise<T>): Promise<T> {
    const { outages, limits } = this.parts;
    const since = outages.now();
    try {
      const options = { deadline, reserve: limits.poolWait, onError: this.noteAnswer };
      const result = await rerun(() => attempt(deadline), options);
      outages.succeeded();
      return result;
    } catch (error) {
      if (isUnanswered(error)) outages.unanswered(since, limits.answer);
      else if (isOutage(error)) outages.failed(error);
      throw error;
    }
  }

  /** Notes an error that PostgreSQL has answered, such as too long a wait for a lock. */
  private readonly noteAnswer = (error: unknown): void => {
    if (leavesConnection(error)) this.parts.outages.answered();
  };
}

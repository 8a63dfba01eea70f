import type { DataSource } from 'typeorm';
import { Connections } from './connections.js';
import type { Deadline } from './deadline.js';
import { DEFAULT_LIMITS } from './limits.js';
import { LostWrites } from './lost-writes.js';
import { OutageLog } from './outage-log.js';
import { OutcomeQuestions } from './outcome-questions.js';
import { Outcomes } from './outcomes.js';
import { SingleStatements } from './single-statements.js';
import { JoinedWork } from './joined-work.js';
import type { Transaction } from './transaction.js';
import { Transactions } from './transactions.js';
import { SharedConnections } from './shared-connections.js';
import { poolOf } from './typeorm-internals.js';
import { UnitsOfWork } from './units-of-work.js';

/** On whose behalf work runs. */
interface WorkContext {
  readonly accountId?: string;
  readonly deadline?: Deadline | undefined;
  readonly transaction?: Transaction | undefined;
}

/** How the connections of the pool are used. */
export interface PoolUse {
  readonly open: number;
  readonly idle: number;
  /** Work that waits for a connection. */
  readonly waiting: number;
}

/** The database as other rooms use it. */
export class Database extends UnitsOfWork {
  private readonly questions: OutcomeQuestions;

  constructor(dataSource: DataSource, outages = new OutageLog()) {
    // A data source that is not connected has no pool. The OpenAPI document is made with such a data source.
    const pool = poolOf(dataSource);
    const questions = new OutcomeQuestions(dataSource);
    const outcomes = new Outcomes(questions);
    const connections = new Connections(pool, () => outages.answered());
    const limits = {
      poolWait: pool?.options.connectionTimeoutMillis || DEFAULT_LIMITS.poolWait,
      answer: pool?.options.query_timeout || DEFAULT_LIMITS.answer,
      statement: pool?.options.statement_timeout || DEFAULT_LIMITS.statement,
      lock: pool?.options.lock_timeout || DEFAULT_LIMITS.lock,
    };
    const shared = new SharedConnections(connections);
    const statements = new SingleStatements({ connections, shared, lost: new LostWrites(outcomes) }, limits);
    const transactions = new Transactions(dataSource, connections, outcomes);
    super({ dataSource, statements, transactions, outages, limits });
    this.questions = questions;
  }

  /**
   * Returns the database for the work of a request, which ends before the request must be answered.
   * @param context of an account, on whose behalf the work runs. Work of a context with a transaction is part
   *   of that.
   */
  for({ deadline, accountId, transaction }: WorkContext): UnitsOfWork {
    if (transaction !== undefined) return new JoinedWork(this.parts, transaction);
    return deadline === undefined
      ? this
      : new UnitsOfWork(this.parts, { whole: deadline, holder: accountId });
  }

  /** Most connections that can be in use at a time; 1 for a data source that is not connected. */
  get connections(): number {
    return poolOf(this.parts.dataSource)?.options.max ?? 1;
  }

  /** The connections of the pool at this instant, and how much work waits for one. */
  get use(): PoolUse {
    const pool = poolOf(this.parts.dataSource);
    return { open: pool?.totalCount ?? 0, idle: pool?.idleCount ?? 0, waiting: pool?.waitingCount ?? 0 };
  }

  /** Closes the connections beside those of the data source. */
  close(): Promise<void> {
    return this.questions.close();
  }
}

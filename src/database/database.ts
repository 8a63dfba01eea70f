import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import type { Pool, PoolClient } from 'pg';
import { internalsOf } from './client-internals.js';
import type { Queryable, Statement } from './queryable.js';
import { isRetryable } from './sqlstate.js';
import { Transaction, type Isolation } from './transaction.js';

const ATTEMPTS = 5;

/** How a transaction runs. */
export interface TransactionOptions {
  /** READ COMMITTED unless told otherwise. */
  readonly isolation?: Isolation;
  /**
   * Starts the work while BEGIN is on its way. Its first statement must then go through `query` and write nothing: should
   * BEGIN fail, that statement has run on its own.
   */
  readonly eager?: boolean;
}

/** The database as features see it: single statements, and transactions that are values. */
export class Database implements Queryable {
  readonly manager: EntityManager;

  constructor(private readonly dataSource: DataSource) {
    this.manager = dataSource.manager;
    // There is no pool where nothing is connected: the OpenAPI document is made that way.
    const { master } = dataSource.driver as unknown as { master?: Pool };
    master?.on('release', (_error, client) => {
      // A connection that the driver gave up on closes a moment later: nobody may be given it until then.
      if (internalsOf(client).connection.stream.destroyed) void client.end();
    });
  }

  /** One statement, which is a transaction of its own and rerun like one. */
  async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    // Straight to TypeORM's own pool: its query runner knows no named statements, which are worth 1.2x on reads.
    const { master } = this.dataSource.driver as unknown as { master: Pool };
    const result = await rerun(() => master.query({ ...statement, values: [...values] }));
    return result.rows as Row[];
  }

  /** Statements on their own leave nothing behind when they fail. */
  guard<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  /**
   * Runs `work` in a transaction and commits. A serialization failure or deadlock reruns the WHOLE closure in a new
   * transaction, at most five times, so it must have no effects outside the transaction.
   */
  transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    { isolation = 'READ COMMITTED', eager = false }: TransactionOptions = {},
  ): Promise<T> {
    return rerun(() => this.attempt(work, { isolation, eager }));
  }

  private async attempt<T>(
    work: (transaction: Transaction) => Promise<T>,
    { isolation, eager }: Required<TransactionOptions>,
  ): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    let client: PoolClient | undefined;
    let transaction: Transaction | undefined;
    try {
      client = (await runner.connect()) as PoolClient;
      transaction = await Transaction.begin(runner, client, isolation, eager);
      const result = await work(transaction);
      await transaction.commit();
      return result;
    } catch (error) {
      // The first error is the one to report. A connection that cannot roll back is not given to the next: the pool drops a
      // client that was ended.
      await transaction?.rollback().catch(() => void client?.end());
      throw error;
    } finally {
      await runner.release().catch(() => undefined);
    }
  }
}

/** Runs the work again, at most five times in all, where PostgreSQL has ended it in favour of another transaction. */
async function rerun<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
      await delay(Math.random() * 10 * 2 ** attempt);
    }
  }
}

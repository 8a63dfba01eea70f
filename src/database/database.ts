import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import type { Pool, PoolClient } from 'pg';
import type { Queryable, Statement } from './queryable.js';
import { isLost, isRetryable } from './sqlstate.js';
import { Transaction } from './transaction.js';

const ATTEMPTS = 5;

export type Isolation = 'READ COMMITTED' | 'REPEATABLE READ';

/** The database as features see it: single statements, and transactions that are values. */
export class Database implements Queryable {
  readonly manager: EntityManager;

  constructor(private readonly dataSource: DataSource) {
    this.manager = dataSource.manager;
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
    isolation: Isolation = 'READ COMMITTED',
  ): Promise<T> {
    return rerun(() => this.attempt(work, isolation));
  }

  private async attempt<T>(work: (transaction: Transaction) => Promise<T>, isolation: Isolation): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    let client: PoolClient | undefined;
    try {
      client = (await runner.connect()) as PoolClient;
      await runner.startTransaction(isolation);
      const result = await work(new Transaction(runner, client));
      await runner.commitTransaction();
      return result;
    } catch (error) {
      // The first error is the one to report. A connection that no longer answers is not asked to roll back, and one that
      // cannot is not given to the next: the pool drops a client that was ended.
      if (isLost(error)) void client?.end();
      else if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => void client?.end());
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

import type { Duplex } from 'node:stream';
import type { PoolClient, QueryResult } from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';
import type { Queryable, Statement } from './queryable.js';
import { isAfterFailure } from './sqlstate.js';

export type Isolation = 'READ COMMITTED' | 'REPEATABLE READ';

/**
 * An open transaction. Repositories that must run inside one take it as an argument, so that no query of theirs can
 * slip out to another connection. Statements that are sent without waiting for the one before travel together, and run in
 * the order in which they were sent.
 */
export class Transaction implements Queryable {
  readonly manager: EntityManager;
  private readonly begun: Promise<unknown>;
  private committed: Promise<void> | undefined;
  private failure: unknown;

  private constructor(
    runner: QueryRunner,
    private readonly client: PoolClient,
    isolation: Isolation,
  ) {
    this.manager = runner.manager;
    // TypeORM would send the isolation level after BEGIN, and wait for both. It is told, so that it starts none of its own.
    Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
    this.begun = this.send(() => client.query(`BEGIN ISOLATION LEVEL ${isolation}`));
  }

  /**
   * Begins a transaction.
   * @param eager does not wait until it has begun; the first statement must then go through `query`, which does
   */
  static async begin(
    runner: QueryRunner,
    client: PoolClient,
    isolation: Isolation,
    eager: boolean,
  ): Promise<Transaction> {
    const transaction = new Transaction(runner, client, isolation);
    if (eager) transaction.begun.catch(() => undefined);
    else await transaction.begun;
    return transaction;
  }

  async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    try {
      const answer = this.send(() => this.client.query({ ...statement, values: [...values] }));
      const [result] = await Promise.all([answer, this.begun]);
      return result.rows as Row[];
    } catch (error) {
      this.failure ??= error;
      // It only says that one of the statements sent before it failed.
      throw isAfterFailure(error) ? this.failure : error;
    }
  }

  /** As `query`, with COMMIT sent right behind it: nothing can follow. Where the statement fails, nothing is committed. */
  async queryLast<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const answer = this.query<Row>(statement, values);
    const committed = this.commit();
    committed.catch(() => undefined);
    const rows = await answer;
    await committed;
    return rows;
  }

  async guard<T>(work: () => Promise<T>): Promise<T> {
    await this.client.query('SAVEPOINT guard');
    try {
      const result = await work();
      await this.client.query('RELEASE SAVEPOINT guard');
      return result;
    } catch (error) {
      await this.client.query('ROLLBACK TO SAVEPOINT guard');
      this.failure = undefined;
      throw error;
    }
  }

  /** Commits unless COMMIT was sent already. @throws when PostgreSQL had to roll back */
  commit(): Promise<void> {
    this.committed ??= this.send(() => this.client.query('COMMIT')).then(({ command }) => {
      if (command !== 'COMMIT') throw new Error('A transaction with a failed statement cannot be committed');
    });
    return this.committed;
  }

  /** Undoes everything, or waits until a COMMIT that was sent has come to its end, good or bad. */
  async rollback(): Promise<void> {
    if (this.committed === undefined) await this.client.query('ROLLBACK');
    else await this.committed.catch(() => undefined);
  }

  /** Holds back what is sent until the running code is done, so that statements sent together are one packet. */
  private send(query: () => Promise<QueryResult>): Promise<QueryResult> {
    const { stream } = (this.client as unknown as { readonly connection: { readonly stream: Duplex } })
      .connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
    return query();
  }
}

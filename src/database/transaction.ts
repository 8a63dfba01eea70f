import type { PoolClient, QueryConfig, QueryResult } from 'pg';
import type { EntityTarget, ObjectLiteral, QueryRunner, Repository } from 'typeorm';
import { answerTimeout, sendTogether } from './pg-internals.js';

import type { Queryable, Statement } from './queryable.js';
import { markTransactionBegun } from './typeorm-internals.js';

export type Isolation = 'READ COMMITTED' | 'REPEATABLE READ';

/**
 * An open transaction. Repositories that must run inside one take it as an argument, so that all their
 * queries use its connection. Statements that are sent without waiting for earlier answers travel together
 * and run in the order in which they were sent. When one fails, the later ones fail too, with the error of
 * the first.
 */
export class Transaction implements Queryable {
  private readonly begun: Promise<unknown>;
  private committed: Promise<void> | undefined;
  private failure: Error | undefined;
  /** Number of statements without an answer yet. */
  private outstanding = 0;

  private constructor(
    private readonly runner: QueryRunner,
    private readonly client: PoolClient,
    isolation: Isolation,
  ) {
    // TypeORM would send the isolation level after BEGIN, and wait for both.
    markTransactionBegun(runner);
    this.begun = this.send({ text: `BEGIN ISOLATION LEVEL ${isolation}` });
  }

  /**
   * Begins a transaction.
   * @param eager does not wait until it has begun; `query` does, after it has sent its statement
   * @internal: extensions get a transaction that has begun, and their compiler needs no types of pg
   */
  static async begin(
    runner: QueryRunner,
    client: PoolClient,
    { isolation, eager }: { readonly isolation: Isolation; readonly eager: boolean },
  ): Promise<Transaction> {
    const transaction = new Transaction(runner, client, isolation);
    if (eager) transaction.begun.catch(() => undefined);
    else await transaction.begun;
    return transaction;
  }

  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> {
    return this.runner.manager.getRepository(entity);
  }

  async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    if (this.committed !== undefined) throw new Error('The transaction has ended');
    const [result] = await Promise.all([this.send({ ...statement, values: [...values] }), this.begun]);
    return result.rows as Row[];
  }

  /**
   * As `query`, with COMMIT sent right behind it. Where the statement fails, nothing is committed. Nothing
   * can be queried after it, and nothing that may throw should be done: it would report as failed what is
   * committed.
   * @internal
   */
  async queryLast<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    await this.begun;
    const answer = this.query<Row>(statement, values);
    const committed = this.commit();
    committed.catch(() => undefined);
    const rows = await answer;
    await committed;
    return rows;
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
      await this.send({ text: 'ROLLBACK TO SAVEPOINT guard' });
      throw error;
    }
  }

  /**
   * Commits unless COMMIT was sent already. @throws when PostgreSQL had to roll back, the error that made
   * it do so
   * @internal
   */
  commit(): Promise<void> {
    this.committed ??= this.send({ text: 'COMMIT' }).then(({ command }) => {
      if (command === 'COMMIT') return;
      throw this.failure ?? new Error('A transaction with a failed statement cannot be committed');
    });
    return this.committed;
  }

  /**
   * Undoes everything, or waits until a COMMIT that was sent has come to its end, good or bad.
   * @internal
   */
  async rollback(): Promise<void> {
    if (this.committed === undefined) await this.client.query('ROLLBACK');
    else await this.committed.catch(() => undefined);
  }

  /**
   * Sends a statement. All statements that the running code sends travel as one packet when it has finished.
   * The driver's time limit for an answer starts at the same time, so the limit of a statement also includes
   * the limits of those before it.
   */
  private async send(query: QueryConfig): Promise<QueryResult> {
    sendTogether(this.client);
    this.outstanding += 1;
    const limit = answerTimeout(this.client) * this.outstanding;
    const limited: QueryConfig & { query_timeout: number } = { ...query, query_timeout: limit };
    try {
      return await this.client.query(limited);
    } catch (error) {
      this.failure ??= error as Error;
      throw this.failure;
    } finally {
      this.outstanding -= 1;
    }
  }
}

import type { EntityManager, QueryRunner } from 'typeorm';
import type { PoolClient } from 'pg';
import type { Queryable, Statement } from './queryable.js';

/**
 * An open transaction. Repositories that must run inside one take it as an argument, so that no query of theirs can
 * slip out to another connection.
 */
export class Transaction implements Queryable {
  readonly manager: EntityManager;

  constructor(
    runner: QueryRunner,
    private readonly client: PoolClient,
  ) {
    this.manager = runner.manager;
  }

  async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const result = await this.client.query({ ...statement, values: [...values] });
    return result.rows as Row[];
  }

  async guard<T>(work: () => Promise<T>): Promise<T> {
    await this.client.query('SAVEPOINT guard');
    try {
      const result = await work();
      await this.client.query('RELEASE SAVEPOINT guard');
      return result;
    } catch (error) {
      await this.client.query('ROLLBACK TO SAVEPOINT guard');
      throw error;
    }
  }
}

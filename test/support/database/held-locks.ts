import { Client } from 'pg';
import { ACTIVITY } from './cluster.js';
import { sql } from './stored-records.js';
import type { TestService } from '../test-service.js';
import { waitFor } from '../wait-for.js';

/** Locks that are held behind the service's back. */
export class HeldLocks {
  private holders: Client[] = [];

  constructor(private readonly service: () => TestService) {}

  /** Holds the account, so that no dispatch begins. @returns a function that gives it back */
  configuration(accountId: string): Promise<() => Promise<void>> {
    return this.run('SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
  }

  /** Holds a table, so that no statement can name it. */
  table(name: string): Promise<() => Promise<void>> {
    return this.run(`LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE`, []);
  }

  /** Waits until that number of statements wait for a lock. */
  async waiting(count: number): Promise<void> {
    await waitFor(`${count} statements to wait for a lock`, async () => {
      const [row] = await sql<{ count: number }>(
        this.service(),
        `SELECT count(*)::int AS count FROM ${ACTIVITY}
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return row?.count === count;
    });
  }

  /** Gives all locks back. */
  async release(): Promise<void> {
    await Promise.all(this.holders.map((holder) => holder.end()));
    this.holders = [];
  }

  private async run(statement: string, values: readonly string[]): Promise<() => Promise<void>> {
    const holder = new Client({ connectionString: this.service().database.url });
    this.holders.push(holder);
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query(statement, [...values]);
    return async () => {
      await holder.query('COMMIT');
    };
  }
}

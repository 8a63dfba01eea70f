import { Client } from 'pg';
import { configurationLock, routerLock } from '../../src/database/index.js';
import { sql } from './stored-records.js';
import type { TestService } from './test-service.js';
import { waitFor } from './wait-for.js';

/** Locks that are held behind the service's back. */
export class HeldLocks {
  private holders: Client[] = [];

  constructor(private readonly service: () => TestService) {}

  /** Holds the lock of a router. @returns a function that gives it back */
  router(accountId: string, routerId: string): Promise<() => Promise<void>> {
    return this.hold(routerLock('$1', '$2'), [accountId, routerId]);
  }

  /** Holds the lock of an account's configuration, so that no dispatch begins. */
  configuration(accountId: string): Promise<() => Promise<void>> {
    return this.hold(configurationLock('$1'), [accountId]);
  }

  /** Holds a table, so that no statement can name it. */
  table(name: string): Promise<() => Promise<void>> {
    return this.run(`LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE`, []);
  }

  /** Waits until that number of statements wait for an advisory lock. */
  async waiting(count: number): Promise<void> {
    await waitFor(`${count} statements to wait for an advisory lock`, async () => {
      const [row] = await sql<{ count: number }>(
        this.service(),
        `SELECT count(*)::int AS count FROM pg_locks l JOIN pg_database d ON d.oid = l.database
         WHERE d.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted`,
      );
      return row?.count === count;
    });
  }

  /** Gives all locks back. */
  async release(): Promise<void> {
    await Promise.all(this.holders.map((holder) => holder.end()));
    this.holders = [];
  }

  private hold(key: string, values: readonly string[]): Promise<() => Promise<void>> {
    return this.run(`SELECT pg_advisory_xact_lock(${key})`, values);
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

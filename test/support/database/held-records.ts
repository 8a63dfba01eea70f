import { Client } from 'pg';
import { ACTIVITY } from './cluster.js';
import { sql } from './stored-records.js';
import type { TestService } from '../test-service.js';
import { waitFor } from '../wait-for.js';

/** Records that are locked behind the service's back, for tests of what waits for them. */
export class HeldRecords {
  private holders: Client[] = [];

  constructor(private readonly service: () => TestService) {}

  /** Locks a record in a transaction that stays open until it is told to commit. */
  async hold(id: string): Promise<Client> {
    return this.run('SELECT FROM records WHERE account_id = $1 AND id = $2 FOR UPDATE', [
      [await this.accountOf(id), id],
    ]);
  }

  /** As `hold`, of the rotations of all routers. */
  async holdRotations(): Promise<Client> {
    const accounts = await sql<{ account_id: string }>(
      this.service(),
      'SELECT DISTINCT account_id FROM rotations',
    );
    return this.run(
      'SELECT FROM rotations WHERE account_id = $1 FOR UPDATE',
      accounts.map(({ account_id }) => [account_id]),
    );
  }

  /** Changes the locked record and commits. @returns its time of change, as stored in the record */
  async changeAndRelease(holder: Client, id: string): Promise<Date> {
    const { rows } = await holder.query(
      `WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS now)
       UPDATE records SET updated_at = now, fields = fields || '{"city": "Paris"}' FROM clock
       WHERE account_id = $1 AND id = $2 RETURNING updated_at`,
      [await this.accountOf(id), id],
    );
    await holder.query('COMMIT');
    return rows[0].updated_at;
  }

  /** Waits until that number of statements wait for a lock. @param orMore also accepts more */
  async waiting(count: number, { orMore = false } = {}): Promise<void> {
    await waitFor(`${count} statements to wait for a lock`, async () => {
      const [row] = await sql<{ count: number }>(
        this.service(),
        `SELECT count(*)::int AS count FROM ${ACTIVITY}
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return row?.count === count || (orMore && (row?.count ?? 0) > count);
    });
  }

  /** Waits until a statement with that in its text waits for a lock. */
  async waitingIn(text: string): Promise<void> {
    await waitFor(`${text} to wait for a lock`, async () => {
      const found = await sql(
        this.service(),
        `SELECT FROM ${ACTIVITY} WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND position($1 IN query) > 0`,
        [text],
      );
      return found.length > 0;
    });
  }

  /** Releases all that is held. */
  async release(): Promise<void> {
    await Promise.all(this.holders.map((holder) => holder.end()));
    this.holders = [];
  }

  private async accountOf(id: string): Promise<string> {
    const [row] = await sql<{ account_id: string }>(
      this.service(),
      'SELECT account_id FROM records WHERE id = $1',
      [id],
    );
    return row!.account_id;
  }

  /** @param all the values of each run of the statement */
  private async run(statement: string, all: readonly (readonly string[])[]): Promise<Client> {
    const holder = new Client({ connectionString: this.service().database.url });
    this.holders.push(holder);
    await holder.connect();
    await holder.query('BEGIN');
    for (const values of all) await holder.query(statement, [...values]);
    return holder;
  }
}

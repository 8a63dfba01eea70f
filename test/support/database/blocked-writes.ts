import { Client } from 'pg';
import { waitFor } from '../wait-for.js';

/** A transaction that waits for a lock. */
interface Blocked {
  readonly pid: number;
  /** Whether it has written anything so far. */
  readonly hasWritten: boolean;
}

/**
 * Stops whoever writes to a table at the first statement that does, so that a test acts in the middle of a
 * transaction whenever it likes.
 */
export class BlockedWrites {
  private constructor(
    private readonly holder: Client,
    /** Outside of the transaction, in which the activity of sessions would not change. */
    private readonly watcher: Client,
    private readonly holderId: number,
  ) {}

  /** Lets nobody write to a table from now on. */
  static async of(url: string, table: string): Promise<BlockedWrites> {
    const [holder, watcher] = [url, url].map((connectionString) => new Client({ connectionString })) as [
      Client,
      Client,
    ];
    await Promise.all([holder.connect(), watcher.connect()]);
    const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await holder.query('BEGIN');
    await holder.query(`LOCK TABLE ${table} IN SHARE MODE`);
    return new BlockedWrites(holder, watcher, rows[0]!.pid);
  }

  /** Waits until somebody waits. */
  blocked(): Promise<Blocked> {
    return waitFor('a transaction to wait for the lock', async () => {
      const { rows } = await this.watcher.query<Blocked>(
        `SELECT pid, backend_xid IS NOT NULL AS "hasWritten" FROM pg_stat_activity
         WHERE datname = current_database() AND $1::int = ANY (pg_blocking_pids(pid))`,
        [this.holderId],
      );
      return rows[0];
    });
  }

  /** Lets everybody write, and waits until the session with a process id has ended. */
  async release(pid: number): Promise<void> {
    await this.holder.query('COMMIT');
    await waitFor('the session to end', async () => {
      const { rowCount } = await this.watcher.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid]);
      return rowCount === 0;
    });
    await this.end();
  }

  /** Gives the lock back. */
  async end(): Promise<void> {
    await Promise.all([this.holder.end(), this.watcher.end()]);
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { poolOf } from './typeorm-internals.js';

/** Milliseconds in which the database must connect, and then answer. */
const TIMEOUT = 1_000;

/** Milliseconds in which a question is answered, whatever happens. */
const DEADLINE = 1_900;

const PING = { name: 'ping', text: 'SELECT 1' };

/**
 * Asks whether the database answers, over a connection of its own, so that the answer does not depend on how
 * busy the pool is. Questions that come at the same time share one.
 */
export class DatabaseProbe {
  private pool: Pool | undefined;
  private asked: Promise<void> | undefined;

  constructor(private readonly dataSource: DataSource) {}

  /** @throws Error when the database does not answer within two seconds */
  check(): Promise<void> {
    this.asked ??= this.ask().finally(() => (this.asked = undefined));
    return this.asked;
  }

  async close(): Promise<void> {
    await this.pool?.end();
  }

  private async ask(): Promise<void> {
    this.pool ??= this.open();
    const { pool } = this;
    const late = new AbortController();
    // The pool closes a connection whose query fails, also when it does not answer in time. The connection
    // may have been lost while it was idle, so a second question goes over a new one.
    const answer = pool.query(PING).catch(() => pool.query(PING));
    const timeout = delay(DEADLINE, undefined, { signal: late.signal }).then(() => {
      throw Object.assign(new Error('The database does not answer in time'), { code: 'ETIMEDOUT' });
    });
    try {
      await Promise.race([answer, timeout]);
    } finally {
      late.abort();
      for (const each of [answer, timeout]) each.catch(() => undefined);
    }
  }

  /** Opens a pool of one connection with the settings of the service's own. */
  private open(): Pool {
    const options = poolOf(this.dataSource)?.options;
    if (options === undefined) throw new Error('The data source is not connected');
    const { password, application_name = 'fairlead' } = options;
    const pool = new Pool({
      ...options,
      // The pool hides the password from copies of its options.
      ...(password === undefined ? {} : { password }),
      min: 0,
      max: 1,
      connectionTimeoutMillis: TIMEOUT,
      query_timeout: TIMEOUT,
      application_name: `${application_name} probe`,
    });
    // The pool drops an idle connection that is lost. The next question opens another.
    pool.on('error', () => undefined);
    return pool;
  }
}

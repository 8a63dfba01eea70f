import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { DatabaseUnavailableError } from './database-unavailable.error.js';
import { openSidePool } from './side-pool.js';

/** Milliseconds in which the database must connect, and then answer. */
const TIMEOUT = 1_000;

const PING = { name: 'ping', text: 'SELECT 1' };

/**
 * Asks whether the database answers, over a connection of its own, so that the answer does not depend on how
 * busy the pool is. Questions that come at the same time share one.
 */
export class DatabaseProbe {
  private pool: Pool | undefined;
  private asked: Promise<void> | undefined;

  /** @param limit milliseconds in which a question is answered, whatever happens */
  constructor(
    private readonly dataSource: DataSource,
    private readonly limit: number,
  ) {}

  /** @throws DatabaseUnavailableError when the database does not answer in time */
  check(): Promise<void> {
    this.asked ??= this.ask().finally(() => (this.asked = undefined));
    return this.asked;
  }

  async close(): Promise<void> {
    await this.pool?.end();
  }

  private async ask(): Promise<void> {
    this.pool ??= openSidePool(this.dataSource, { max: 1, timeout: TIMEOUT, name: 'probe' });
    const { pool } = this;
    const late = new AbortController();
    // The pool closes a connection whose query fails, also when it does not answer in time. The connection
    // may have been lost while it was idle, so a second question goes over a new one.
    const answer = pool.query(PING).catch(() => pool.query(PING));
    const timeout = delay(this.limit, undefined, { signal: late.signal }).then(() => {
      throw Object.assign(new Error('The database does not answer in time'), { code: 'ETIMEDOUT' });
    });
    try {
      await Promise.race([answer, timeout]);
    } catch (error) {
      throw new DatabaseUnavailableError(error, false);
    } finally {
      late.abort();
      for (const each of [answer, timeout]) each.catch(() => undefined);
    }
  }
}

import { Pool, type PoolConfig } from 'pg';
import type { DataSource } from 'typeorm';

/** Milliseconds in which the database must connect, and then answer. Three of them are below two seconds. */
const CONNECT_TIMEOUT = 650;
const ANSWER_TIMEOUT = 650;

const PING = { name: 'ping', text: 'SELECT 1' };

/**
 * Asks whether the database answers, over a connection of its own, so that the answer does not depend on how
 * busy the pool is. Questions that come at the same time share one.
 */
export class DatabaseProbe {
  private readonly pool: Pool;
  private asked: Promise<void> | undefined;

  constructor({ options }: DataSource) {
    const { url, extra } = options as { readonly url?: string; readonly extra?: PoolConfig };
    this.pool = new Pool({
      ...extra,
      ...(url === undefined ? {} : { connectionString: url }),
      max: 1,
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      query_timeout: ANSWER_TIMEOUT,
      application_name: 'fairlead probe',
    });
    // The pool drops an idle connection that is lost. The next question opens another.
    this.pool.on('error', () => undefined);
  }

  /** @throws the error of the driver when the database does not answer within two seconds */
  check(): Promise<void> {
    this.asked ??= this.ask().finally(() => (this.asked = undefined));
    return this.asked;
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private async ask(): Promise<void> {
    // The pool closes a connection whose query fails, also when it does not answer in time. The connection
    // may have been lost while it was idle, so a second question goes over a new one.
    await this.pool.query(PING).catch(() => this.pool.query(PING));
  }
}

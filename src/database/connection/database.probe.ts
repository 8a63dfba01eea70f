import { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { Deadline } from './deadline.js';
import { poolOf } from '../driver/driver.js';
import { DatabaseUnavailableError } from '../errors.js';

/** Milliseconds in which the database must connect, and then answer. */
const TIMEOUT_MS = 1_000;

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
    const pool = (this.pool ??= openPool(this.dataSource));
    // The pool closes a connection whose query fails, also when it does not answer in time. The connection
    // may have been lost while it was idle, so a second question goes over a new one.
    const answer = pool.query(PING).catch(() => pool.query(PING));
    try {
      await new Deadline(this.limit).wait(answer);
    } catch (error) {
      throw error instanceof DatabaseUnavailableError ? error : new DatabaseUnavailableError(error, false);
    }
  }
}

/** Opens a pool of one connection beside the service's own, with its address and its settings. */
function openPool(dataSource: DataSource): Pool {
  const options = poolOf(dataSource)?.options;
  if (options === undefined) throw new Error('The data source is not connected');
  const pool = new Pool({
    ...options,
    // The pool hides the password from copies of its options.
    ...(options.password === undefined ? {} : { password: options.password }),
    min: 0,
    max: 1,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    application_name: `${options.application_name ?? 'fairlead'} probe`,
  });
  // Nobody else listens to a connection in use. Statements get the same error.
  pool.on('connect', (client) => client.on('error', () => undefined));
  // The pool drops an idle connection that is lost. The next use opens another.
  pool.on('error', () => undefined);
  return pool;
}

import type { Pool } from 'pg';
import { Deadline } from './deadline.js';
import { poolBeside } from '../driver/driver.js';
import { DatabaseUnavailableError } from '../errors.js';
import type { Statement } from '../queryable.js';

/** Milliseconds in which the database must connect, and then answer. */
const TIMEOUT_MS = 1_000;

const PING: Statement = { name: 'ping', text: 'SELECT 1' };

/**
 * Asks the database something, or only whether it answers, over a connection of its own, so that the answer
 * does not depend on how busy the pool is.
 */
export class DatabaseProbe {
  private own: Pool | undefined;
  private asked: Promise<unknown> | undefined;

  /**
   * @param pool whose address and settings it has; undefined for a data source that is not connected
   * @param limit milliseconds in which a question is answered, whatever happens
   * @internal
   */
  constructor(
    private readonly pool: Pool | undefined,
    private readonly limit: number,
  ) {}

  /** Questions that come at the same time share one. @throws as `ask` */
  async check(): Promise<void> {
    this.asked ??= this.ask(PING).finally(() => (this.asked = undefined));
    await this.asked;
  }

  /** @throws DatabaseUnavailableError when the database does not answer in time */
  async ask<Row extends object>(statement: Statement): Promise<Row[]> {
    if (this.pool === undefined) throw new Error('The data source is not connected');
    const own = (this.own ??= openBeside(this.pool));
    // The pool closes a connection whose query fails, also when it does not answer in time. The connection
    // may have been lost while it was idle, so a second question goes over a new one.
    const answer = own.query<Row>(statement).catch(() => own.query<Row>(statement));
    try {
      return (await new Deadline(this.limit).wait(answer)).rows;
    } catch (error) {
      throw error instanceof DatabaseUnavailableError ? error : new DatabaseUnavailableError(error, false);
    }
  }

  async close(): Promise<void> {
    await this.own?.end();
  }
}

/** Opens a pool of one connection beside another. */
function openBeside(pool: Pool): Pool {
  const own = poolBeside(pool, {
    max: 1,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    application_name: `${pool.options.application_name ?? 'fairlead'} probe`,
  });
  // Nobody else listens to a connection in use. Statements get the same error.
  own.on('connect', (client) => client.on('error', () => undefined));
  return own;
}

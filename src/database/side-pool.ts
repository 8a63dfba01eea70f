import { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { markErrors } from './pg-internals.js';
import { poolOf } from './typeorm-internals.js';

/** Differences of a side pool from the service's own pool. */
export interface SidePoolOptions {
  /** Most connections. */
  readonly max: number;
  /** Milliseconds in which the database must connect, and then answer. */
  readonly timeout: number;
  /** Milliseconds after which a connection that nobody uses is closed. */
  readonly idle?: number;
  /** Word that the name of its sessions has beside that of the service's own. */
  readonly name: string;
}

/** Opens a small pool beside the service's own, with its address and its settings. */
export function openSidePool(dataSource: DataSource, { max, timeout, idle, name }: SidePoolOptions): Pool {
  const options = poolOf(dataSource)?.options;
  if (options === undefined) throw new Error('The data source is not connected');
  const { password, application_name = 'fairlead' } = options;
  const pool = new Pool({
    ...options,
    // The pool hides the password from copies of its options.
    ...(password === undefined ? {} : { password }),
    min: 0,
    max,
    connectionTimeoutMillis: timeout,
    query_timeout: timeout,
    ...(idle === undefined ? {} : { idleTimeoutMillis: idle }),
    application_name: `${application_name} ${name}`,
  });
  // Nobody else listens to a connection in use. Statements get the same error.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    markErrors(client);
  });
  // The pool drops an idle connection that is lost. The next use opens another.
  pool.on('error', () => undefined);
  return pool;
}

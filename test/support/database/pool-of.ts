import { Pool } from 'pg';

const pools = new Map<string, Pool>();

/** The connections of a test worker to a database: to open one takes as long as a hundred statements. */
export function poolOf(url: string): Pool {
  let pool = pools.get(url);
  if (pool === undefined) {
    pool = new Pool({ connectionString: url, max: 4, allowExitOnIdle: true });
    // A test may end its connections, and drops its database.
    pool.on('error', () => undefined);
    pools.set(url, pool);
  }
  return pool;
}

import { randomUUID } from 'node:crypto';
import { copyTemplate, dropDatabase } from './citus-databases.cjs';
import { poolOf } from './pool-of.js';

/** A separate database for a test, on the PostgreSQL of the test run. */
export interface TestDatabase {
  readonly url: string;
  /** What the slugs of accounts end in, where test files share the database. */
  readonly suffix?: string;
  /** Whether only the coordinator of a cluster has tables. */
  readonly isPlain?: boolean;
  drop(): Promise<void>;
}

function environment(name: string): string {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(`${name} is not set: it comes from the global setup of jest's service project`);
  return value;
}

const asAdmin = (text: string, values: unknown[] = []): Promise<unknown> =>
  poolOf(environment('FAIRLEAD_TEST_SERVER')).query(text, values);

/**
 * Creates a database: a copy of the migrated template, or an empty one.
 * @param options.prefix of its name; one that begins with `scram` asks for the password
 */
export async function createTestDatabase({ empty = false, prefix = 'test' } = {}): Promise<TestDatabase> {
  const name = `${prefix}_${randomUUID().replaceAll('-', '')}`;
  if (process.env['CITUS_URLS'] !== undefined && !empty && prefix === 'test') {
    const distributed = await copyTemplate(environment('FAIRLEAD_TEST_TEMPLATE'), name);
    return { url: distributed, drop: () => dropDatabase(name) };
  }
  const template = empty ? 'template0' : environment('FAIRLEAD_TEST_TEMPLATE');
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const url = new URL(environment('FAIRLEAD_TEST_SERVER'));
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      // WITH (FORCE) fails while an autovacuum worker is there, which only a superuser may terminate.
      // Without it, DROP DATABASE waits for the worker.
      await asAdmin(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = current_user',
        [name],
      );
      await asAdmin(`DROP DATABASE IF EXISTS ${name}`);
    },
  };
}

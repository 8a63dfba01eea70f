import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/** A separate database for a test, on the PostgreSQL of the test run. */
export interface TestDatabase {
  readonly url: string;
  /** What the slugs of accounts end in, where test files share the database. */
  readonly suffix?: string;
  drop(): Promise<void>;
}

function environment(name: string): string {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(`${name} is not set: it comes from the global setup of jest's service project`);
  return value;
}

async function asAdmin<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: environment('FAIRLEAD_TEST_SERVER') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Creates a database: a copy of the migrated template, or an empty one.
 * @param options.prefix of its name; one that begins with `scram` asks for the password
 */
export async function createTestDatabase({ empty = false, prefix = 'test' } = {}): Promise<TestDatabase> {
  const name = `${prefix}_${randomUUID().replaceAll('-', '')}`;
  const template = empty ? 'template0' : environment('FAIRLEAD_TEST_TEMPLATE');
  await asAdmin((client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`));
  const url = new URL(environment('FAIRLEAD_TEST_SERVER'));
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      await asAdmin(async (client) => {
        // WITH (FORCE) fails while an autovacuum worker is there, which only a superuser may terminate.
        // Without it, DROP DATABASE waits for the worker.
        await client.query(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = current_user',
          [name],
        );
        await client.query(`DROP DATABASE IF EXISTS ${name}`);
      });
    },
  };
}

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDataSource } from '../../src/database/connection/data-source.js';
import { onServer } from '../../src/database/dump/database-server.js';
import { migrateAt } from '../../src/database/open-database.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { TransactionPooler } from '../support/database/transaction-pooler.js';

const REFUSED = /DATABASE_URL is the address of a connection pooler in transaction mode/;

let database: TestDatabase;
beforeEach(async () => (database = await createTestDatabase({ empty: true })));
afterEach(() => database.drop());

async function ask<Row>(statement: string): Promise<Row[]> {
  const dataSource = await createDataSource({ url: database.url, poolSize: 1, entities: [] }).initialize();
  try {
    return await dataSource.query(statement);
  } finally {
    await dataSource.destroy();
  }
}

/** Sets a limit for the sessions of the database that give none themselves. */
async function limit(name: string, value: string): Promise<void> {
  await ask(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET ${name} = '${value}'`);
}

describe('through a pooler in transaction mode', () => {
  let pooler: TransactionPooler;
  let url: string;
  beforeEach(async () => ({ pooler, url } = await TransactionPooler.start(database.url)));
  afterEach(() => pooler.close());

  it('migrations are refused, and nothing is applied', async () => {
    await expect(migrateAt({ url, entities: [] })).rejects.toThrow(REFUSED);
    expect(await ask(`SELECT to_regclass('migrations') AS found`)).toEqual([{ found: null }]);
  });

  it('a dump and a load are refused, and leave no limits and no lock behind', async () => {
    await limit('statement_timeout', '5s');
    const place = { url, dataDir: join(tmpdir(), 'nowhere') };
    await expect(onServer(place, () => Promise.resolve())).rejects.toThrow(REFUSED);
    const pooled = await createDataSource({ url, poolSize: 1, entities: [] }).initialize();
    const left = `SELECT current_setting('statement_timeout') AS limit,
      (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) AS locks`;
    expect(await pooled.query(left)).toEqual([{ limit: '5s', locks: 0 }]);
    await pooled.destroy();
  });
});

it('migrations have no limits of time, also where the database sets some', async () => {
  for (const name of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
    await limit(name, '1ms');
  const { applied } = await migrateAt({ url: database.url, entities: [] });
  expect(applied.length).toBeGreaterThan(0);
});

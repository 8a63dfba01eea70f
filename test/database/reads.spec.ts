import { createDataSource } from '../../src/database/connection/data-source.js';
import { DEFAULT_LIMITS, Deadline } from '../../src/database/connection/deadline.js';
import { Database } from '../../src/database/database.js';
import { poolOf } from '../../src/database/driver/driver.js';
import type { Statement } from '../../src/database/queryable.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

const PID: Statement = { name: 'pid', text: 'SELECT pg_backend_pid() AS pid' };
const SLOW: Statement = { name: 'slow', text: 'SELECT pg_backend_pid() AS pid, pg_sleep(0.5)' };
const KEPT: Statement = { name: 'kept', text: 'SELECT pid FROM kept' };

let test: TestDatabase;
let dataSource: ReturnType<typeof createDataSource>;
let database: Database;

beforeEach(async () => {
  test = await createTestDatabase({ empty: true });
  const limits = { ...DEFAULT_LIMITS, lock: 100 };
  dataSource = createDataSource({ url: test.url, poolSize: 10, entities: [], limits });
  await dataSource.initialize();
  database = Database.of(dataSource);
});
afterEach(async () => {
  await dataSource.destroy();
  await test.drop();
});

async function ask(statement: Statement): Promise<number> {
  const scope = { accountId: 'acme', deadline: new Deadline(20_000) };
  const rows = await database.for(scope).query<{ pid: number }>(statement, []);
  return rows[0]!.pid;
}

const several = (statement: Statement, count = 4): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, () => ask(statement)));

it('reads again what waited too long for a lock [contract 1]', async () => {
  await dataSource.query('CREATE TABLE kept (pid int); INSERT INTO kept VALUES (1)');
  const holder = await poolOf(dataSource)!.connect();
  await holder.query('BEGIN; LOCK TABLE kept IN ACCESS EXCLUSIVE MODE');
  const reads = several(KEPT);
  await new Promise((done) => setTimeout(done, 300));
  await holder.query('COMMIT');
  holder.release();
  expect(await reads).toEqual([1, 1, 1, 1]);
});

it('reads again what was lost with the connection, over another one [contract 1]', async () => {
  await several(PID);
  const reads = several(SLOW);
  const active = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()`;
  let lost: readonly { pid: number }[] = [];
  while (lost.length < 4) lost = await dataSource.query(active);
  await dataSource.query(`SELECT pg_terminate_backend(pid) FROM (${active}) AS slow`);
  const pids = lost.map(({ pid }) => pid);
  for (const pid of await reads) expect(pids).not.toContain(pid);
});

it('refuses reads that wait for a connection that is not there, and serves the next ones', async () => {
  const held = await Promise.all(Array.from({ length: 10 }, () => poolOf(dataSource)!.connect()));
  await expect(several(PID)).rejects.toThrow('timeout exceeded when trying to connect');
  held.forEach((client) => client.release());
  expect(await several(PID)).toHaveLength(4);
});

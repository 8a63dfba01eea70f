import { createDataSource } from '../../src/database/connection/data-source.js';
import { DEFAULT_LIMITS, Deadline } from '../../src/database/connection/deadline.js';
import { Database } from '../../src/database/database.js';
import { poolOf } from '../../src/database/driver/driver.js';
import type { Statement } from '../../src/database/queryable.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

const brief = (name: string, text: string): Statement => ({ name, text, isBrief: true });
const PID = brief('pid', 'SELECT pg_backend_pid() AS pid');
/** Takes a moment, so that the reads of a test run at the same time. */
const SLOW = brief('slow', 'SELECT pg_backend_pid() AS pid, pg_sleep(0.1)');

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

async function ask(accountId: string, statement = SLOW, limit = 20_000): Promise<number> {
  const rows = await database
    .for({ accountId, deadline: new Deadline(limit) })
    .query<{ pid: number }>(statement, []);
  return rows[0]!.pid;
}

/** Asks for each in a turn of its own, as requests do. */
const several = (count: number, one: () => Promise<number>): Promise<number[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, n) => {
      for (let turn = 0; turn < n; turn++) await new Promise(setImmediate);
      return one();
    }),
  );

const idle = (): number => poolOf(dataSource)!.idleCount;

it('lets eight brief reads of an account that come together use one connection, and gives it back', async () => {
  await ask('acme', PID);
  expect(new Set(await several(8, () => ask('acme'))).size).toBe(1);
  expect(new Set(await several(9, () => ask('acme'))).size).toBe(2);
  expect(idle()).toBe(poolOf(dataSource)!.totalCount);
});

it('lets no account wait for the reads of another one', async () => {
  const [acme, beta] = await Promise.all([several(3, () => ask('acme')), several(3, () => ask('beta'))]);
  expect(new Set(acme).size).toBe(1);
  expect(new Set(beta).size).toBe(1);
  expect(acme[0]).not.toBe(beta[0]);
});

it('gives a connection of its own to what is not brief, has little time, or is for no account', async () => {
  const [shared, ordinary, hurried, unnamed] = await Promise.all([
    several(2, () => ask('acme')),
    ask('acme', { ...SLOW, name: 'ordinary', isBrief: false }),
    ask('acme', SLOW, 5_000),
    database.query<{ pid: number }>(SLOW, []).then((rows) => rows[0]!.pid),
  ]);
  expect(new Set([...shared, ordinary, hurried, unnamed]).size).toBe(4);
});

it('fails a read alone: those beside it are answered, and the connection works on', async () => {
  const broken = brief('broken', 'SELECT 1 / (random() * 0)::int AS pid');
  const [first, failed, last] = await Promise.allSettled([ask('acme'), ask('acme', broken), ask('acme')]);
  expect(failed).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
  expect([first.status, last.status]).toEqual(['fulfilled', 'fulfilled']);
  expect(await ask('acme', PID)).toBe((first as PromiseFulfilledResult<number>).value);
});

it('reads again what was sent behind a read that was to prepare it, and waited too long for a lock [contract 1]', async () => {
  await dataSource.query('CREATE TABLE kept (pid int); INSERT INTO kept VALUES (1)');
  const holder = await poolOf(dataSource)!.connect();
  await holder.query('BEGIN; LOCK TABLE kept IN ACCESS EXCLUSIVE MODE');
  const reads = several(4, () => ask('acme', brief('kept', 'SELECT pid FROM kept')));
  await new Promise((done) => setTimeout(done, 300));
  await holder.query('COMMIT');
  holder.release();
  expect(await reads).toEqual([1, 1, 1, 1]);
});

it('reads again what was lost with the connection, over another one [contract 1]', async () => {
  const pid = await ask('acme', PID);
  // There is another connection, over which the first one is ended.
  await Promise.all([1, 2].map(() => database.query({ name: 'open', text: 'SELECT pg_sleep(0.1)' }, [])));
  const reads = several(4, () =>
    ask('acme', brief('slower', 'SELECT pg_backend_pid() AS pid, pg_sleep(0.5)')),
  );
  await database.query({ name: 'end', text: 'SELECT pg_terminate_backend($1)' }, [pid]);
  const pids = await reads;
  expect(pids).not.toContain(pid);
  expect(await ask('acme', PID)).not.toBe(pid);
});

it('refuses reads that wait for a connection that is not there, and serves the next ones', async () => {
  const held = await Promise.all(Array.from({ length: 10 }, () => poolOf(dataSource)!.connect()));
  const waiting = several(3, () => ask('acme', PID));
  await expect(waiting).rejects.toThrow('timeout exceeded when trying to connect');
  held.forEach((client) => client.release());
  expect(new Set(await several(3, () => ask('acme', PID))).size).toBe(1);
});

import type { Pool } from 'pg';
import { createDataSource } from '../../src/database/connection/data-source.js';
import { Database } from '../../src/database/database.js';
import { Deadline, DEFAULT_LIMITS } from '../../src/database/connection/deadline.js';
import { OutcomeUnknownError } from '../../src/database/errors.js';
import type { Statement } from '../../src/database/queryable.js';
import { poolOf } from '../../src/database/driver/driver.js';
import { commits, PostgresProxy, type Fault } from '../support/database/postgres-proxy.cjs';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { TestService } from '../support/test-service.js';

interface Row {
  readonly id: number;
  readonly xid: string;
}

const sharing = (name: string, text: string): Statement => ({ name, text, sharesCommit: true });
const RETURNING = 'RETURNING id, pg_current_xact_id()::text AS xid';
const INSERT = sharing('insert', `INSERT INTO things (id) VALUES ($1) ${RETURNING}`);
const TOUCH = sharing('touch', `UPDATE things SET touched = touched + 1 WHERE id = $1 ${RETURNING}`);
/** Comes to no end where it shares a transaction, which waits for locks for 20 ms. */
const SLOW = sharing(
  'slow',
  `INSERT INTO things (id)
    SELECT $1 FROM pg_sleep(CASE current_setting('lock_timeout') WHEN '20ms' THEN 3600 ELSE 0 END) ${RETURNING}`,
);

let test: TestDatabase;
let dataSource: ReturnType<typeof createDataSource> | undefined;
let database: Database;

/** No limit that a busy machine meets. Statements that share a transaction have a 32nd of `answer` each. */
const PATIENT = {
  ...DEFAULT_LIMITS,
  statement: 40_000,
  idleInTransaction: 40_000,
  poolWait: 40_000,
  answer: 300_000,
};
/** Milliseconds for a write: more than for its answer, or it would share nothing. */
const LIMIT = 2 * PATIENT.answer;

/** Connects to the database in place of the connections that there are. */
async function connect(url: string, limits = PATIENT): Promise<void> {
  await disconnect();
  dataSource = createDataSource({ url, poolSize: 10, entities: [], limits });
  await dataSource.initialize();
  database = Database.of(dataSource);
}

async function disconnect(): Promise<void> {
  if (dataSource === undefined) return;
  await dataSource.destroy();
  dataSource = undefined;
}

// The clock is held: see TestService.stopShared.
beforeAll(() => TestService.stopShared());
beforeEach(async () => {
  test = await createTestDatabase({ empty: true });
  await connect(test.url);
  await sql('CREATE TABLE things (id int PRIMARY KEY, touched int NOT NULL DEFAULT 0)');
});
afterEach(async () => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  await disconnect();
  await test.drop();
});

const sql = <T = Row>(text: string, values: readonly unknown[] = []): Promise<T[]> =>
  database.query<T>({ name: text.slice(0, 60), text }, values);

interface Options {
  readonly accountId?: string;
  readonly statement?: Statement;
  readonly limit?: number;
}

async function write(
  id: number,
  { accountId = 'acme', statement = INSERT, limit = LIMIT }: Options = {},
): Promise<Row> {
  const unit = database.for({ accountId, deadline: new Deadline(limit) });
  const [row] = await unit.query<Row>(statement, [id]);
  return row!;
}

const ids = (count: number): number[] => Array.from({ length: count }, (_, id) => id);
const writeAll = (count: number, options?: Options): Promise<Row[]> =>
  Promise.all(ids(count).map((id) => write(id, options)));
const stored = async (): Promise<number[]> =>
  (await sql('SELECT id FROM things ORDER BY id')).map(({ id }) => id);
const transactions = (rows: readonly Row[]): number => new Set(rows.map(({ xid }) => xid)).size;
const pool = (): Pool => poolOf(dataSource!)!;

it('makes one transaction of up to sixteen writes that come together, and gives the connection back', async () => {
  const rows = await writeAll(16);
  expect(rows.map(({ id }) => id)).toEqual(ids(16));
  expect(transactions(rows)).toBe(1);
  expect(await stored()).toEqual(ids(16));
  await write(16);
  expect(transactions(await writeAll(17, { statement: TOUCH }))).toBe(2);
  expect(pool().idleCount).toBe(pool().totalCount);
});

it('applies writes of one row in the order in which they came', async () => {
  await write(1);
  const text = `UPDATE things SET touched = touched * 2 + $2 WHERE id = $1 RETURNING touched AS id`;
  const unit = database.for({ accountId: 'acme', deadline: new Deadline(LIMIT) });
  const rows = await Promise.all([1, 0, 1].map((bit) => unit.query<Row>(sharing('append', text), [1, bit])));
  expect(rows.flat().map(({ id }) => id)).toEqual([0b1, 0b10, 0b101]);
});

it('makes no transaction of writes of several accounts', async () => {
  const rows = await Promise.all(ids(4).map((id) => write(id, { accountId: `account ${id % 2}` })));
  expect(transactions(rows)).toBe(2);
});

it('runs by itself what shares no commit, has little time, or is for no account', async () => {
  const rows = await Promise.all([
    write(1),
    write(2),
    write(3, { statement: { ...INSERT, name: 'ordinary', sharesCommit: false } }),
    write(4, { limit: PATIENT.answer }),
    database.query<Row>(INSERT, [5]).then(([row]) => row!),
  ]);
  expect(transactions(rows)).toBe(4);
});

it('answers each write with its own error where one fails, and writes the others', async () => {
  await write(2);
  const results = await Promise.allSettled(ids(4).map((id) => write(id)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(results[2]).toMatchObject({ reason: { code: '23505', constraint: 'things_pkey' } });
  expect(await stored()).toEqual([0, 1, 2, 3]);
});

it('lets one of two writes win that exclude each other', async () => {
  const results = await Promise.allSettled([write(1), write(1), write(2)]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(await stored()).toEqual([1, 2]);
});

it('lets writes of the account share nothing for a second after a failure, and those of others as before', async () => {
  const now = performance.now();
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  await Promise.allSettled([write(0), write(0)]);
  const touch = { statement: TOUCH };
  expect(transactions(await Promise.all([write(0, touch), write(0, touch)]))).toBe(2);
  const beta = { ...touch, accountId: 'beta' };
  expect(transactions(await Promise.all([write(0, beta), write(0, beta)]))).toBe(1);
  clock.mockImplementation(() => now + 1_001);
  expect(transactions(await Promise.all([write(0, touch), write(0, touch)]))).toBe(1);
});

it('prepares a statement again that was sent first behind a failure', async () => {
  await write(1);
  const late = sharing('late', `INSERT INTO things (id) VALUES ($1 + 100) ${RETURNING}`);
  const results = await Promise.allSettled([write(1), ...ids(3).map((id) => write(id, { statement: late }))]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  // Each connection has it now, or prepares it.
  await sql('DELETE FROM things');
  await writeAll(10, { statement: late });
  expect(await stored()).toEqual(ids(10).map((id) => id + 100));
});

it('keeps nobody waiting for the lock that one of them needs', async () => {
  await writeAll(3);
  const holder = await pool().connect();
  await holder.query('BEGIN');
  await holder.query('UPDATE things SET touched = 10 WHERE id = 1');
  const waiting = write(1, { statement: TOUCH });
  await Promise.all([write(0, { statement: TOUCH }), write(2, { statement: TOUCH })]);
  await holder.query('COMMIT');
  holder.release();
  await waiting;
  expect(await sql<{ touched: number }>('SELECT touched FROM things ORDER BY id')).toEqual([
    { touched: 1 },
    { touched: 11 },
    { touched: 1 },
  ]);
});

it('waits for locks for 20 ms where writes share a transaction, and as long as ever in one of its own', async () => {
  const text = `INSERT INTO things (id) VALUES ($1) RETURNING current_setting('lock_timeout') AS id`;
  const limits = sharing('limits', text);
  expect(await writeAll(3, { statement: limits })).toEqual(Array(3).fill({ id: '20ms' }));
  expect(await write(3, { statement: limits })).toEqual({ id: '1s' });
});

it('leaves unknown what became of writes whose session has ended [contract 1]', async () => {
  await writeAll(2);
  const ends = sharing(
    'ends',
    'INSERT INTO things (id) SELECT $1 FROM pg_terminate_backend(pg_backend_pid())',
  );
  const results = await Promise.allSettled([
    write(0, { statement: TOUCH }),
    write(5),
    write(6, { statement: ends }),
  ]);
  for (const result of results) expect(result).toMatchObject({ reason: expect.any(OutcomeUnknownError) });
  expect(await sql('SELECT id, touched FROM things ORDER BY id')).toEqual([
    { id: 0, touched: 0 },
    { id: 1, touched: 0 },
  ]);
});

/** All but the timers for answers. */
const REAL = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
];

it.each<Fault>(['reset before', 'reset after', 'swallow', 'silence'])(
  'runs nothing twice where the connection has the fault "%s" at COMMIT [contract 1]',
  async (fault) => {
    const proxy = await PostgresProxy.start(test.url);
    await connect(proxy.url);
    proxy.failAt(commits, fault);
    const isSilent = fault === 'swallow' || fault === 'silence';
    if (isSilent) jest.useFakeTimers({ doNotFake: REAL });
    const state = { isOver: false };
    const writing = Promise.allSettled(ids(3).map((id) => write(id))).finally(() => (state.isOver = true));
    if (isSilent) {
      // The answer to COMMIT alone is waited for, until its time is over.
      const isWaiting = (): boolean => proxy.hasFailed && jest.getTimerCount() <= 1;
      while (!state.isOver && !isWaiting()) await new Promise(setImmediate);
      expect(jest.getTimerCount()).toBe(1);
      jest.advanceTimersByTime(PATIENT.answer);
      jest.useRealTimers();
    }
    for (const result of await writing)
      expect(result).toMatchObject({ reason: expect.any(OutcomeUnknownError) });
    expect(proxy.hasFailed).toBe(true);
    const isWritten = fault === 'reset after' || fault === 'swallow';
    await connect(test.url);
    expect(await stored()).toEqual(isWritten ? ids(3) : []);
    await proxy.close();
  },
);

it('gives up a transaction that takes long, and runs each write by itself', async () => {
  await connect(test.url, { ...PATIENT, statement: 25_000, answer: 30_000 });
  const text = `SELECT current_setting('statement_timeout') AS id FROM (SELECT $1::int) AS of`;
  const limited = { statement: sharing('limited', text) };
  // All together have half of the time for an answer.
  expect(await writeAll(2, limited)).toEqual(Array(2).fill({ id: '7500ms' }));
  expect(await write(1, limited)).toEqual({ id: '25s' });
  const rows = await writeAll(8, { statement: SLOW });
  expect(transactions(rows)).toBe(8);
});

it('refuses what waits for a connection that is not there, and serves the next ones', async () => {
  const held = await Promise.all(Array.from({ length: 10 }, () => pool().connect()));
  pool().options.connectionTimeoutMillis = 50;
  const results = await Promise.allSettled(ids(3).map((id) => write(id)));
  held.forEach((client) => client.release());
  for (const result of results) {
    expect(result).toMatchObject({ reason: { message: 'timeout exceeded when trying to connect' } });
  }
  expect(await stored()).toEqual([]);
  expect(transactions(await writeAll(3))).toBe(1);
});

import { createDataSource } from '../../src/database/data-source.js';
import { Database } from '../../src/database/database.js';
import { Deadline } from '../../src/database/deadline.js';
import { OutcomeUnknownError } from '../../src/database/outcome-unknown.error.js';
import type { FindWritten, Statement } from '../../src/database/queryable.js';
import { poolOf } from '../../src/database/typeorm-internals.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

interface Row {
  readonly id: number;
  readonly xid: string;
}

const grouped = (name: string, text: string): Statement => ({ name, text, grouped: true });
const RETURNING = 'RETURNING id, pg_current_xact_id()::text AS xid';
const INSERT = grouped('insert', `INSERT INTO things (id) VALUES ($1) ${RETURNING}`);
const TOUCH = grouped('touch', `UPDATE things SET touched = touched + 1 WHERE id = $1 ${RETURNING}`);
/** Takes a moment, so that its session can be ended meanwhile. */
const SLOW = grouped(
  'slow',
  `INSERT INTO things (id) SELECT $1 FROM pg_sleep(0.1) ${RETURNING}, pg_backend_pid()`,
);

let test: TestDatabase;
let dataSource: ReturnType<typeof createDataSource>;
let database: Database;

beforeEach(async () => {
  test = await createTestDatabase({ empty: true });
  dataSource = createDataSource({ url: test.url, poolSize: 10, entities: [] });
  await dataSource.initialize();
  database = new Database(dataSource);
  await sql('CREATE TABLE things (id int PRIMARY KEY, touched int NOT NULL DEFAULT 0)');
});
afterEach(async () => {
  jest.restoreAllMocks();
  await database.close();
  await dataSource.destroy();
  await test.drop();
});

const sql = <T = Row>(text: string, values: readonly unknown[] = []): Promise<T[]> =>
  database.query<T>({ name: text.slice(0, 60), text }, values);

interface Options {
  readonly accountId?: string;
  readonly statement?: Statement;
  readonly limit?: number;
  readonly find?: FindWritten<Row>;
}

async function write(
  id: number,
  { accountId = 'acme', statement = INSERT, limit = 20_000, find }: Options = {},
): Promise<Row> {
  const unit = database.for({ accountId, deadline: new Deadline(limit) });
  const [row] = await unit.query<Row>(statement, [id], find);
  return row!;
}

const ids = (count: number): number[] => Array.from({ length: count }, (_, id) => id);
const writeAll = (count: number, options?: Options): Promise<Row[]> =>
  Promise.all(ids(count).map((id) => write(id, options)));
const stored = async (): Promise<number[]> =>
  (await sql('SELECT id FROM things ORDER BY id')).map(({ id }) => id);
const transactions = (rows: readonly Row[]): number => new Set(rows.map(({ xid }) => xid)).size;
const idle = (): number => poolOf(dataSource)!.idleCount;

it('makes one transaction of up to sixteen writes that come together, and gives the connection back', async () => {
  const rows = await writeAll(16);
  expect(rows.map(({ id }) => id)).toEqual(ids(16));
  expect(transactions(rows)).toBe(1);
  expect(await stored()).toEqual(ids(16));
  await write(16);
  expect(transactions(await writeAll(17, { statement: TOUCH }))).toBe(2);
  expect(idle()).toBe(poolOf(dataSource)!.totalCount);
});

it('applies writes of one row in the order in which they came', async () => {
  await write(1);
  const text = `UPDATE things SET touched = touched * 2 + $2 WHERE id = $1 RETURNING touched AS id`;
  const unit = database.for({ accountId: 'acme', deadline: new Deadline(20_000) });
  const rows = await Promise.all([1, 0, 1].map((bit) => unit.query<Row>(grouped('append', text), [1, bit])));
  expect(rows.flat().map(({ id }) => id)).toEqual([0b1, 0b10, 0b101]);
});

it('makes no transaction of writes of several accounts', async () => {
  const rows = await Promise.all(ids(4).map((id) => write(id, { accountId: `account ${id % 2}` })));
  expect(transactions(rows)).toBe(2);
});

it('runs by itself what is not grouped, has little time, or is for no account', async () => {
  const rows = await Promise.all([
    write(1),
    write(2),
    write(3, { statement: { ...INSERT, name: 'ordinary', grouped: false } }),
    write(4, { limit: 5_000 }),
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

it('groups nothing of the account for a second after a failure, and of others as before', async () => {
  const clock = jest.spyOn(performance, 'now');
  await Promise.allSettled([write(0), write(0)]);
  const touch = { statement: TOUCH };
  expect(transactions(await Promise.all([write(0, touch), write(0, touch)]))).toBe(2);
  const beta = { ...touch, accountId: 'beta' };
  expect(transactions(await Promise.all([write(0, beta), write(0, beta)]))).toBe(1);
  const now = performance.now();
  clock.mockImplementation(() => now + 1_001);
  expect(transactions(await Promise.all([write(0, touch), write(0, touch)]))).toBe(1);
});

it('prepares a statement again that was sent first behind a failure', async () => {
  await write(1);
  const late = grouped('late', `INSERT INTO things (id) VALUES ($1 + 100) ${RETURNING}`);
  const results = await Promise.allSettled([write(1), ...ids(3).map((id) => write(id, { statement: late }))]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  // Each connection has it now, or prepares it.
  await sql('DELETE FROM things');
  await writeAll(10, { statement: late });
  expect(await stored()).toEqual(ids(10).map((id) => id + 100));
});

it('keeps nobody waiting for the lock that one of them needs', async () => {
  await writeAll(3);
  const holder = await poolOf(dataSource)!.connect();
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

it('finds out for each write what became of it where the connection is lost [contract 1]', async () => {
  const find: FindWritten<Row> = async (db) => {
    const rows = await db.query<Row>({ name: 'find', text: `SELECT id, 'found' AS xid FROM things` }, []);
    return rows.length > 0 ? rows : undefined;
  };
  const end = grouped('end', 'INSERT INTO things (id) SELECT $1 FROM pg_terminate_backend(pg_backend_pid())');
  const results = await Promise.allSettled([
    write(1, { statement: SLOW, find }),
    write(2, { statement: SLOW }),
    write(3, { statement: end, find: () => Promise.resolve([]) }),
  ]);
  // What provably has not happened runs again; what nobody can find out is said.
  expect(results[0]).toMatchObject({ status: 'fulfilled', value: { id: 1 } });
  expect(results[1]).toMatchObject({ status: 'rejected', reason: expect.any(OutcomeUnknownError) });
  expect(results[2].status).toBe('fulfilled');
  expect(await stored()).toEqual([1]);
});

it('refuses what waits for a connection that is not there, and serves the next ones', async () => {
  const held = await Promise.all(Array.from({ length: 10 }, () => poolOf(dataSource)!.connect()));
  const waiting = Promise.allSettled(ids(3).map((id) => write(id)));
  const results = await waiting;
  held.forEach((client) => client.release());
  for (const result of results) {
    expect(result).toMatchObject({ reason: { message: 'timeout exceeded when trying to connect' } });
  }
  expect(await stored()).toEqual([]);
  expect(transactions(await writeAll(3))).toBe(1);
});

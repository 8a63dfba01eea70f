import { AccountEntity } from '../../src/accounts/account.entity.js';
import type { Pool } from 'pg';
import { createDataSource } from '../../src/database/data-source.js';
import { Database, isUnavailable, type Transaction } from '../../src/database/index.js';
import type { Statement } from '../../src/database/queryable.js';
import type { ApiResponse } from '../support/api-client.js';
import { expectError } from '../support/error-object.js';
import { mail, people, router, RoutingAccount } from '../support/routing-account.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { TestService } from '../support/test-service.js';

const POOL_SIZE = 2;
const statement = (name: string, text: string): Statement => ({ name, text });
const WRITE = statement('write', 'INSERT INTO written VALUES ($1)');
const READ = statement('read', 'SELECT what FROM written');
const BACKEND = statement('backend', 'SELECT pg_backend_pid() AS pid, pg_sleep(0.2)');

const ANSWER_TIMEOUT = 1_000;

let test: TestDatabase;
let proxy: TcpProxy;
let dataSource: ReturnType<typeof createDataSource>;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase({ empty: true });
  proxy = await TcpProxy.start(test.url);
  dataSource = createDataSource({ url: proxy.url, poolSize: POOL_SIZE, entities: [AccountEntity] });
  // The time limits are shorter than in production, to keep the test short.
  Object.assign(dataSource.options.extra as object, {
    query_timeout: ANSWER_TIMEOUT,
    connectionTimeoutMillis: 3_000,
  });
  await dataSource.initialize();
  database = new Database(dataSource);
});
beforeEach(async () => {
  await database.query(statement('drop', 'DROP TABLE IF EXISTS written'), []);
  await database.query(statement('create', 'CREATE TABLE written (what text)'), []);
});
afterAll(async () => {
  await dataSource.destroy();
  await proxy.cut();
  await test.drop();
});

/**
 * Runs as many statements at once as the pool has connections. @returns the server processes that ran them,
 * one each
 */
async function backends(): Promise<number[]> {
  const statements = Array.from({ length: POOL_SIZE }, () => database.query<{ pid: number }>(BACKEND, []));
  const pids = (await Promise.all(statements)).flatMap((rows) => rows.map(({ pid }) => pid));
  expect(new Set(pids).size).toBe(POOL_SIZE);
  return pids;
}

/** Asserts that every connection of the pool is new, and works. */
async function expectFresh(before: readonly number[]): Promise<void> {
  const after = await backends();
  expect(before.filter((pid) => after.includes(pid))).toEqual([]);
}

const written = async (): Promise<unknown[]> =>
  (await database.query<{ what: string }>(READ, [])).map(({ what }) => what);

/** The error a promise is rejected with. */
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => Promise.reject(new Error('It did not fail')),
    (error: unknown) => error,
  );

/**
 * Opens a transaction on every connection. All connections stop answering before `rest` of the work. @returns
 * the errors
 */
function interrupted(rest: (tx: Transaction) => Promise<unknown>): Promise<unknown[]> {
  const begun: (() => void)[] = [];
  const work = async (tx: Transaction): Promise<void> => {
    await tx.query(WRITE, ['half']);
    const silenced = new Promise<void>((resolve) => begun.push(resolve));
    if (begun.length === POOL_SIZE) {
      proxy.silence();
      for (const proceed of begun) proceed();
    }
    await silenced;
    await rest(tx);
  };
  return Promise.all(Array.from({ length: POOL_SIZE }, () => failure(database.transaction(work))));
}

describe('a connection that stops answering', () => {
  it('counts as lost only after PostgreSQL itself would have ended the statement', () => {
    const { options } = createDataSource({ url: test.url, poolSize: POOL_SIZE, entities: [] });
    const { query_timeout, statement_timeout } = options.extra as Record<string, number>;
    expect(query_timeout).toBeGreaterThan(statement_timeout!);
  });

  it.each<[string, (what: string) => Promise<unknown>]>([
    ['a single statement', (what) => database.query(WRITE, [what])],
    ['a single statement of TypeORM', (what) => database.repository(AccountEntity).query(WRITE.text, [what])],
    ['a transaction', (what) => database.transaction((tx) => tx.query(WRITE, [what]))],
    [
      'an eager transaction',
      (what) => database.transaction((tx) => tx.query(WRITE, [what]), { eager: true }),
    ],
    [
      'an eager transaction whose COMMIT travels along',
      (what) => database.transaction((tx) => tx.queryLast(WRITE, [what]), { eager: true }),
    ],
  ])('fails %s as unavailable, and those that wait get fresh ones [7, contract 1]', async (_, write) => {
    const before = await backends();
    proxy.silence();
    const stuck = Array.from({ length: POOL_SIZE }, () => failure(write('stuck')));
    const waiting = Array.from({ length: POOL_SIZE }, () => write('waited'));
    expect((await Promise.all(stuck)).map(isUnavailable)).toEqual(stuck.map(() => true));
    await Promise.all(waiting);
    expect(await written()).toEqual(waiting.map(() => 'waited'));
    await expectFresh(before);
  });

  it.each<[string, (tx: Transaction) => Promise<unknown>]>([
    ['in the middle of a transaction', (tx) => tx.query(WRITE, ['stuck'])],
    ['before COMMIT', () => Promise.resolve()],
    ['before a statement with COMMIT behind it', (tx) => tx.queryLast(WRITE, ['stuck'])],
  ])('%s fails it as unavailable, and nothing of it stays [7, contract 1]', async (_, rest) => {
    const before = await backends();
    const stuck = interrupted(rest);
    const waiting = database.query(WRITE, ['waited']);
    expect((await stuck).map(isUnavailable)).toEqual(before.map(() => true));
    await waiting;
    expect(await written()).toEqual(['waited']);
    await expectFresh(before);
  });

  it('before ROLLBACK leaves the error of the work as it is, and nothing of the work', async () => {
    const before = await backends();
    const mistake = new Error('a mistake');
    const failing = interrupted(() => Promise.reject(mistake));
    const waiting = database.query(WRITE, ['waited']);
    expect(await failing).toEqual(before.map(() => mistake));
    await waiting;
    expect(await written()).toEqual(['waited']);
    await expectFresh(before);
  });

  it('before it has begun is unavailable as well, and takes no place in the pool [7, contract 1]', async () => {
    const before = await backends();
    proxy.silence({ newcomers: true });
    for (let round = 0; round < 2; round++) {
      const work = Array.from({ length: POOL_SIZE }, () => failure(database.query(READ, [])));
      expect((await Promise.all(work)).map(isUnavailable)).toEqual(work.map(() => true));
    }
    proxy.silence();
    await expectFresh(before);
    const { totalCount, waitingCount } = (dataSource.driver as unknown as { master: Pool }).master;
    expect({ totalCount, waitingCount }).toEqual({ totalCount: POOL_SIZE, waitingCount: 0 });
  });
});

describe('a service whose connection stops answering', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let service: TestService;
  let account: RoutingAccount;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await TcpProxy.start(database.url);
    service = await TestService.start({
      database: { url: proxy.url, drop: () => Promise.resolve() },
      poolSize: 1,
      answerTimeout: ANSWER_TIMEOUT,
    });
    account = await RoutingAccount.open(service, {
      users: people(['ada']),
      routers: [router('Inbound', {}, { users: people(['ada']) })],
    });
  });
  afterAll(async () => {
    await service.stop();
    await proxy.cut();
    await database.drop();
  });

  it.each<[string, number, (id: string) => Promise<ApiResponse>]>([
    ['a list', 200, () => account.api.get('/contacts')],
    ['a list of routers', 200, () => account.api.get('/routers')],
    ['a write', 201, () => account.api.post('/contacts', { fields: { first_name: 'Ada' } })],
    ['a dispatch', 200, (id) => account.dispatch('Inbound', id)],
  ])('answers %s with 503, and serves the next [7, contract 1]', async (_, success, ask) => {
    const id = await account.contact();
    await account.routerId('Inbound');
    proxy.silence();
    const lost = await ask(id);
    expectError(lost, 503, { message: 'The database is unavailable, try again shortly' });
    expect(lost.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    const { status, body } = await ask(id);
    expect(status).toBe(success);
    if ('success' in body) expect(body).toMatchObject({ success: true, user: mail('ada') });
  });

  it('answers a probe over a new connection, and 503 while there is none [7, contract 5]', async () => {
    const ready = (): Promise<ApiResponse> => service.anonymous.get('/health/ready');
    expect((await ready()).status).toBe(200);
    proxy.silence();
    expect((await ready()).status).toBe(200);
    await proxy.cut();
    const message = 'The database is unavailable, try again shortly';
    expectError(await ready(), 503, { message });
    await proxy.restore();
    expect((await ready()).status).toBe(200);
  });
});

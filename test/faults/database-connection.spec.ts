import { AccountEntity } from '../../src/accounts/account.entity.js';
import { Client, type Pool } from 'pg';
import { createDataSource } from '../../src/database/connection/data-source.js';
import {
  Database,
  DEFAULT_LIMITS,
  isUnavailable,
  OutcomeUnknownError,
  type Transaction,
} from '../../src/database/index.js';
import type { Statement } from '../../src/database/queryable.js';
import type { ApiResponse } from '../support/api-client.js';
import { expectError } from '../support/error-object.js';
import { mail, people, router, RoutingAccount } from '../support/routing-account.js';
import { PostgresProxy } from '../support/database/postgres-proxy.cjs';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { TestService } from '../support/test-service.js';

const POOL_SIZE = 2;
const statement = (name: string, text: string): Statement => ({ name, text });
const WRITE = statement('write', 'INSERT INTO written VALUES ($1)');
const READ = statement('read', 'SELECT what FROM written');
const BACKEND = statement('backend', 'SELECT pg_backend_pid() AS pid, pg_sleep(0.2)');

/** Milliseconds. */
const ANSWER_TIMEOUT = 2_000;

let test: TestDatabase;
let proxy: PostgresProxy;
let dataSource: ReturnType<typeof createDataSource>;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase({ empty: true });
  proxy = await PostgresProxy.start(test.url);
  const limits = { ...DEFAULT_LIMITS, answer: ANSWER_TIMEOUT };
  dataSource = createDataSource({ url: proxy.url, poolSize: POOL_SIZE, entities: [AccountEntity], limits });
  await dataSource.initialize();
  database = Database.of(dataSource);
});
beforeEach(async () => {
  // Without the limit of an answer, and directly: nobody could find out whether they have happened.
  const client = new Client({ connectionString: test.url });
  await client.connect();
  await client.query('DROP TABLE IF EXISTS written');
  await client.query('CREATE TABLE written (what text)');
  await client.end();
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
 * Opens a transaction on every connection. All connections stop answering before `rest` of the work, when it
 * runs for the first time.
 */
function interrupted(rest: (tx: Transaction) => Promise<unknown>): Promise<unknown[]> {
  const begun: (() => void)[] = [];
  const work = async (tx: Transaction): Promise<void> => {
    await tx.query(WRITE, ['half']);
    if (begun.length < POOL_SIZE) {
      const silenced = new Promise<void>((resolve) => begun.push(resolve));
      if (begun.length === POOL_SIZE) {
        proxy.silence();
        for (const proceed of begun) proceed();
      }
      await silenced;
    }
    await rest(tx);
  };
  const none = (error: unknown): unknown => error;
  return Promise.all(
    Array.from({ length: POOL_SIZE }, () => database.transaction(work).then(() => undefined, none)),
  );
}

describe('a connection that stops answering', () => {
  it('counts as lost only after PostgreSQL itself would have ended the statement', () => {
    const { options } = createDataSource({ url: test.url, poolSize: POOL_SIZE, entities: [] });
    const { query_timeout, statement_timeout } = options.extra as Record<string, number>;
    expect(query_timeout).toBeGreaterThan(statement_timeout!);
  });

  it.each<[string, (what: string) => Promise<unknown>]>([
    ['a transaction', (what) => database.transaction((tx) => tx.query(WRITE, [what]))],
    [
      'an eager transaction',
      (what) => database.transaction((tx) => tx.query(WRITE, [what]), { eager: true }),
    ],
  ])('costs %s nothing but time: it is run again, and happens once [contract 1]', async (_, write) => {
    const before = await backends();
    proxy.silence();
    await Promise.all(Array.from({ length: 2 * POOL_SIZE }, (_each, n) => write(`${n}`)));
    expect((await written()).sort()).toEqual(['0', '1', '2', '3']);
    await expectFresh(before);
  });

  it('leaves unknown what became of a single statement [contract 1]', async () => {
    const before = await backends();
    proxy.silence();
    expect(await failure(database.query(WRITE, ['lost']))).toBeInstanceOf(OutcomeUnknownError);
    await database.query(WRITE, ['written']);
    expect(await written()).toEqual(['written']);
    await expectFresh(before);
  });

  it('in the middle of a transaction leaves nothing of it, and the whole is run again [7, contract 1]', async () => {
    const before = await backends();
    expect(await interrupted((tx) => tx.query(WRITE, ['rest']))).toEqual(before.map(() => undefined));
    const all = ['half', 'rest'].flatMap((what) => before.map(() => what));
    expect((await written()).sort()).toEqual(all);
    await expectFresh(before);
  });

  it.each<[string, (tx: Transaction) => Promise<unknown>]>([
    ['before COMMIT', (tx) => Promise.resolve(tx)],
    ['before a statement with COMMIT behind it', (tx) => tx.queryLast(WRITE, ['rest'])],
  ])('%s leaves unknown what became of the transaction [7, contract 1]', async (_, rest) => {
    const before = await backends();
    const unknown = before.map(() => expect.any(OutcomeUnknownError) as unknown);
    expect(await interrupted(rest)).toEqual(unknown);
    expect(await written()).toEqual([]);
    await expectFresh(before);
  });

  it('before the COMMIT of work that only reads is not noticed, and the connection is replaced', async () => {
    const before = await backends();
    let runs = 0;
    let proceed = (): void => undefined;
    const silenced = new Promise<void>((resolve) => (proceed = resolve));
    const read = async (tx: Transaction): Promise<unknown[]> => {
      const rows = await tx.query(READ, []);
      runs += 1;
      if (runs === POOL_SIZE) {
        proxy.silence();
        proceed();
      }
      await silenced;
      return rows;
    };
    const reading = before.map(() => database.transaction(read, { readOnly: true }));
    expect(await Promise.all(reading)).toEqual(before.map(() => []));
    expect(runs).toBe(POOL_SIZE);
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
  let proxy: PostgresProxy;
  let service: TestService;
  let account: RoutingAccount;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await PostgresProxy.start(database.url);
    service = await TestService.start({
      database: { url: proxy.url, drop: () => Promise.resolve() },
      poolSize: 1,
      limits: { answer: ANSWER_TIMEOUT },
      // A probe asks twice, and has a second for each connection and for each answer.
      env: { READINESS_TIMEOUT_MS: '20000' },
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
    ['a dispatch', 200, (id) => account.dispatch('Inbound', id)],
  ])('answers %s over another one [7, contract 1]', async (_, success, ask) => {
    const id = await account.contact();
    await account.routerId('Inbound');
    proxy.silence();
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

import { Logger } from '@nestjs/common';
import { createDataSource } from '../../src/database/connection/data-source.js';
import { Deadline } from '../../src/database/connection/deadline.js';
import { DatabaseUnavailableError, NoAnswerError, OutcomeUnknownError } from '../../src/database/errors.js';
import { Database, DEFAULT_LIMITS, type DatabaseLimits } from '../../src/database/index.js';
import type { Statement } from '../../src/database/queryable.js';
import { poolOf } from '../../src/database/driver/driver.js';
import { DispatchQueue } from '../../src/dispatch/queue/dispatch-queue.js';
import type { Outcome } from '../../src/dispatch/transaction/dispatch-result.js';
import type { ApiResponse } from '../support/api-client.js';
import { expectError } from '../support/error-object.js';
import { commits, executes, PostgresProxy, type ClientMessage } from '../support/database/postgres-proxy.cjs';
import { mail, people, router, RoutingAccount } from '../support/routing-account.js';
import { sql } from '../support/database/stored-records.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { TestService } from '../support/test-service.js';
import { waitFor } from '../support/wait-for.js';

/** Milliseconds in which a request is answered. Its statements may begin in all but the last half second. */
const REQUEST = 3_500;

/** Milliseconds by which answers are delayed. A statement is answered in time, and the next one is not. */
const DELAY = 1_100;

/**
 * Milliseconds by which answers are delayed so that the first comes too late to be waited for. Work that does
 * not end with its request waits for an answer as long.
 */
const LONG_DELAY = 60_000;

/** Milliseconds in which a client has its answer on a slow machine, unless its request waits for too long. */
const PROMISED = LONG_DELAY / 2;

const UNAVAILABLE = { message: 'The database is unavailable, try again shortly' };

/**
 * A dispatch waits for the one before it, or for a connection, and either wait may end first. It is not begun
 * where too little time is left behind them.
 */
const DISPATCH_UNAVAILABLE = {
  message: expect.stringMatching(
    /^(The database is unavailable|Too (many dispatches wait for this router|little time is left for this dispatch)), try again shortly$/,
  ) as string,
};

let test: TestDatabase;
let proxy: PostgresProxy;

beforeAll(async () => {
  test = await createTestDatabase();
  proxy = await PostgresProxy.start(test.url);
});
afterEach(() => proxy.delayAnswers(0));
afterAll(async () => {
  await proxy.close();
  await test.drop();
});

/** @returns what work results in, and the milliseconds that it took */
async function timed<T>(work: Promise<T>): Promise<{ readonly result: T; readonly took: number }> {
  const start = performance.now();
  const result = await work;
  return { result, took: performance.now() - start };
}

describe('a request to a service whose database answers late', () => {
  let service: TestService;
  let account: RoutingAccount;
  const users = people(['ada', 'bob']);
  const routers = (settings: object): object[] => [router('Inbound', settings, { users })];

  beforeAll(async () => {
    const database = { url: proxy.url, drop: () => Promise.resolve() };
    service = await TestService.start({
      database,
      poolSize: 4,
      limits: { answer: LONG_DELAY },
      requestTimeout: REQUEST,
      // A probe asks twice, and has a second for each connection and for each answer.
      env: { READINESS_TIMEOUT_MS: '20000' },
    });
    account = await RoutingAccount.open(service, { users, routers: routers({}) });
  });
  afterAll(() => service.stop());

  /** Changes the configuration of the account behind the back of the service. */
  const change = (): Promise<unknown> =>
    sql(service, 'UPDATE accounts SET config_version = config_version + 1 WHERE slug = $1', [account.slug]);
  const count = async (table: string): Promise<number> =>
    (await sql<{ count: number }>(service, `SELECT count(*)::int AS count FROM ${table}`))[0]!.count;
  const create = (fields: object = { first_name: 'Ada' }): Promise<ApiResponse> =>
    account.api.post('/contacts', { fields });

  /** A refusal after which nothing has happened. */
  function expectRefused({ result, took }: { result: ApiResponse; took: number }, error = UNAVAILABLE): void {
    expectError(result, 503, error);
    expect(result.headers.get('retry-after')).toBe('1');
    expect(took).toBeLessThan(PROMISED);
  }

  it('is answered in time after a change of the configuration, and writes nothing [contract 1]', async () => {
    await create();
    const id = await account.contact();
    const before = [await count('records'), await count('assignments')];
    await account.routerId('Inbound');
    await change();
    proxy.delayAnswers(DELAY);
    const asked: [Promise<ApiResponse>, typeof UNAVAILABLE?][] = [
      [create()],
      [account.api.patch(`/contacts/${id}`, { fields: { first_name: 'Bob' } })],
      [account.dispatch('Inbound', id), DISPATCH_UNAVAILABLE],
      [account.dispatch('Inbound', id), DISPATCH_UNAVAILABLE],
      [account.api.get(`/contacts/${id}?properties=no_such_field`)],
    ];
    const answers = await Promise.all(
      asked.map(async ([answer, error]) => ({ one: await timed(answer), error })),
    );
    for (const { one, error } of answers) {
      // A write that got a connection at once has begun, and nobody knows how it ends.
      if (one.result.body.code === 'outcome_unknown') expect(one.took).toBeLessThan(PROMISED);
      else expectRefused(one, error);
    }
    proxy.delayAnswers(0);
    expect([await count('records'), await count('assignments')]).toEqual(before);
    expect((await account.api.get(`/contacts/${id}`)).body.first_name).not.toBe('Bob');
  });

  it('is refused item by item in a batch, and no turn is used [contract 4]', async () => {
    const ids = [await account.contact(), await account.contact()];
    await account.routerId('Inbound');
    await change();
    proxy.delayAnswers(DELAY);
    const { result, took } = await timed(account.batch('Inbound', ids));
    expect(took).toBeLessThan(PROMISED);
    expect(result.body.results).toEqual(
      ids.map((object_id) => ({
        object_id,
        status: 503,
        error: true,
        code: 'unavailable',
        message: expect.any(String),
        request_id: result.headers.get('x-request-id'),
      })),
    );
    proxy.delayAnswers(0);
    expect(await account.turns('Inbound', 2)).toBe('ada bob');
  });

  it('does not take others of its transaction along when its time runs out [contract 1]', async () => {
    const [first = '', soon = '', later = ''] = await account.contacts(3);
    const [context, routerId] = [await service.account(account.slug), await account.routerId('Inbound')];
    const queue = service.app.get(DispatchQueue, { strict: false });
    const by = (id: string, deadline?: Deadline): Promise<Outcome> =>
      queue.submit({ ...context, deadline }, routerId, id);
    // The first of the three runs alone, and the others together behind it.
    proxy.delayAnswers(LONG_DELAY, ({ type, text }) => type === 'B' && text.includes(later));
    const outcomes = [by(first), by(soon, new Deadline(REQUEST)), by(later)] as const;
    await expect(outcomes[1]).rejects.toBeInstanceOf(DatabaseUnavailableError);
    proxy.delayAnswers(0);
    expect(await Promise.all([outcomes[0], outcomes[2]])).toMatchObject([{ ok: true }, { ok: true }]);
  });

  it('is refused where the client is looked up too late [contract 1]', async () => {
    const other = await RoutingAccount.open(service, {});
    proxy.delayAnswers(LONG_DELAY);
    const { result, took } = await timed(other.api.get('/contacts'));
    expectError(result, 503, UNAVAILABLE);
    expect(took).toBeLessThan(PROMISED);
  });

  it('does not count the time in which its body is sent [contract 1]', async () => {
    const { api } = account;
    const parts = ['{"fields":', '{"first_name":"Slow"}}'];
    const body = new ReadableStream({
      async pull(stream) {
        const part = parts.shift();
        if (part === undefined) return stream.close();
        if (parts.length === 0) await new Promise((resolve) => setTimeout(resolve, REQUEST + 100));
        stream.enqueue(Buffer.from(part));
      },
    });
    const headers = { Authorization: `Bearer ${api.token}`, 'Content-Type': 'application/json' };
    const sent = { method: 'POST', headers, body, duplex: 'half' };
    const { status } = await fetch(`${api.baseUrl}/contacts`, sent as RequestInit);
    expect(status).toBe(201);
  });

  it('has an unknown outcome where a write was sent in time and answered too late [contract 1]', async () => {
    await create();
    proxy.delayAnswers(LONG_DELAY, executes('record_insert'));
    const { result, took } = await timed(create({ first_name: 'Late' }));
    expect(result.body).toMatchObject({ error: true, code: 'outcome_unknown' });
    expect([result.status, result.headers.get('retry-after')]).toEqual([503, null]);
    expect(took).toBeLessThan(PROMISED);
    proxy.delayAnswers(0);
    const stored = await sql(service, `SELECT FROM records WHERE fields ->> 'first_name' = 'Late'`);
    expect(stored).toHaveLength(1);
  });

  it('for readiness is answered before the database has answered [contract 5]', async () => {
    proxy.delayAnswers(LONG_DELAY);
    const { result, took } = await timed(service.anonymous.get('/health/ready'));
    expectError(result, 503, UNAVAILABLE);
    expect(result.headers.get('retry-after')).toBe('1');
    expect(took).toBeLessThan(PROMISED);
  });

  it('is served as soon as the database answers again [contract 1]', async () => {
    await change();
    proxy.delayAnswers(LONG_DELAY);
    await Promise.all([create(), create(), account.api.get('/routers'), account.api.get('/contacts')]);
    proxy.delayAnswers(0);
    expect((await create()).status).toBe(201);
    expect((await service.anonymous.get('/health/ready')).status).toBe(200);
    const answer = await account.dispatch('Inbound', await account.contact());
    expect(answer.body).toMatchObject({ success: true, user: mail('ada') });
  });
});

describe('work with a deadline', () => {
  /** Work that does not end with its request waits longer than any request of these tests. */
  const LIMITS = {
    statement: 11_000,
    lock: DEFAULT_LIMITS.lock,
    idleInTransaction: 11_000,
    poolWait: 10_000,
    answer: 12_000,
  };
  /** Longer than any request of these tests, and shorter than the limits. */
  const SLEEP = { name: 'sleep', text: 'SELECT pg_sleep(3.5)' };
  const PROCESS = { name: 'process', text: 'SELECT pg_backend_pid() AS pid, pg_sleep(0.2)' };
  const READ = { name: 'read', text: 'SELECT 1 AS one' };

  let dataSource: ReturnType<typeof createDataSource>;
  let database: Database;

  async function open(limits: DatabaseLimits): Promise<void> {
    dataSource = createDataSource({ url: proxy.url, poolSize: 2, entities: [], limits });
    await dataSource.initialize();
    // A connection is closed by what a test is about, and not because nobody has used it for ten seconds.
    poolOf(dataSource)!.options.idleTimeoutMillis = 0;
    database = Database.of(dataSource);
  }

  async function close(): Promise<void> {
    await dataSource.destroy();
  }

  beforeEach(() => open(LIMITS));
  afterEach(async () => {
    proxy.delayAnswers(0);
    await close();
  });

  /** The sessions of both connections. */
  const processes = async (): Promise<number[]> => {
    const both = [1, 2].map(() => database.query<{ pid: number }>(PROCESS, []));
    return (await Promise.all(both)).flatMap((rows) => rows.map(({ pid }) => pid));
  };
  /** Work of a request in which statements may begin for a second. */
  const urgent = (): ReturnType<Database['for']> => database.for({ deadline: new Deadline(2_500) });
  it.each<[string, () => Promise<unknown>]>([
    ['a statement', () => urgent().query(READ, [])],
    ['a transaction', () => urgent().transaction((tx) => tx.query(READ, []))],
  ])('does not wait for a connection beyond it, and logs no outage: %s', async (_, work) => {
    await processes();
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    const busy = Promise.all([1, 2].map(() => database.query(SLEEP, [])));
    await expect(work()).rejects.toBeInstanceOf(NoAnswerError);
    expect(logged).not.toHaveBeenCalled();
    logged.mockRestore();
    // The others have theirs, and the pool has none for it yet.
    expect(database.use).toEqual({ open: 2, idle: 0, waiting: 1 });
    await busy;
    expect(await processes()).toHaveLength(2);
    // The connection that came too late is in the pool again.
    expect(await database.query(READ, [])).toEqual([{ one: 1 }]);
  });

  it('limits what TypeORM sends in a transaction, too', async () => {
    const reads = urgent().transaction(async (tx) => {
      proxy.delayAnswers(LONG_DELAY);
      await tx.repository('migrations').query('SELECT 1');
    });
    const { took } = await timed(expect(reads).rejects.toBeInstanceOf(DatabaseUnavailableError));
    expect(took).toBeLessThan(LIMITS.answer);
  });

  it.each<[string, number, (db: ReturnType<Database['for']>) => Promise<unknown>]>([
    ['a statement', 2_550, (db) => db.query(SLEEP, [])],
    ['a transaction', 2_900, (db) => db.transaction((tx) => tx.query(SLEEP, []))],
  ])('leaves connections alone of which a short wait says nothing: %s', async (_, limit, work) => {
    const before = await processes();
    const late = work(database.for({ deadline: new Deadline(limit) }));
    await expect(late).rejects.toBeInstanceOf(DatabaseUnavailableError);
    const after = await processes();
    expect(before.filter((pid) => after.includes(pid))).toHaveLength(1);
  });

  it('commits all or nothing where it ends right before the last statement', async () => {
    const add = (n: number): Statement => ({ name: `add_${n}`, text: `INSERT INTO added VALUES (${n})` });
    await database.query({ name: 'create_added', text: 'CREATE TABLE added (n int)' }, []);
    const work = database.transaction(async (tx) => {
      await tx.query(add(1), []);
      checked.mockImplementationOnce(function (this: Deadline) {
        this.extend(-this.left);
      });
      return tx.queryLast(add(2), []);
    });
    const checked = jest.spyOn(Deadline.prototype, 'requireTime');
    await work.catch(() => undefined);
    checked.mockRestore();
    const rows = await database.query({ name: 'read_added', text: 'SELECT n FROM added' }, []);
    expect([0, 2]).toContain(rows.length);
  });

  it('leaves unknown what became of a transaction where it ends behind COMMIT [contract 1]', async () => {
    await database.query({ name: 'create_late', text: 'CREATE TABLE late (n int)' }, []);
    const insert = { name: 'insert_late', text: 'INSERT INTO late VALUES (1)' };
    proxy.delayAnswers(LONG_DELAY, commits);
    const work = urgent().transaction((tx) => tx.queryLast(insert, []));
    const { took } = await timed(expect(work).rejects.toBeInstanceOf(OutcomeUnknownError));
    expect(took).toBeLessThan(LIMITS.answer);
    proxy.delayAnswers(0);
    expect(await database.query({ name: 'read_late', text: 'SELECT n FROM late' }, [])).toEqual([{ n: 1 }]);
  });

  it.each<[string, (db: ReturnType<Database['for']>) => Promise<unknown>]>([
    ['a statement', (db) => db.query(READ, [])],
    ['a transaction', (db) => db.transaction((tx) => tx.query(READ, []))],
    ['a read', (db) => db.read(() => new Promise(() => undefined))],
  ])('is no outage of the database where the time of a request has run out: %s', async (_, work) => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    const late = work(database.for({ deadline: new Deadline(400) }));
    await expect(late).rejects.toBeInstanceOf(DatabaseUnavailableError);
    expect(logged).not.toHaveBeenCalled();
    logged.mockRestore();
  });

  const rollsBack = ({ type, text }: ClientMessage): boolean => type === 'Q' && text.startsWith('ROLLBACK');

  /** A transaction that sends a statement when its time has run out. */
  const untilLate = (): Promise<void> => {
    const deadline = new Deadline(3_500);
    return database.for({ deadline }).transaction(async (tx) => {
      await tx.query(READ, []);
      await waitFor('the time for statements to run out', () => deadline.left === 0);
      await tx.query(READ, []);
    });
  };

  it('ends in time and keeps its connection where ROLLBACK is answered later', async () => {
    const before = await processes();
    proxy.delayAnswers(LONG_DELAY, rollsBack);
    const { took } = await timed(expect(untilLate()).rejects.toBeInstanceOf(NoAnswerError));
    // ROLLBACK was sent before the end of the request, and has no answer yet.
    expect(took).toBeLessThan(LIMITS.answer);
    expect(poolOf(dataSource)).toMatchObject({ totalCount: 2, idleCount: 1 });
    proxy.delayAnswers(0);
    expect((await processes()).sort()).toEqual(before.sort());
  });

  it('loses its connection where ROLLBACK is not answered at all', async () => {
    await close();
    await open({ ...LIMITS, answer: 4_000 });
    await processes();
    proxy.delayAnswers(LONG_DELAY, rollsBack);
    await expect(untilLate()).rejects.toBeInstanceOf(NoAnswerError);
    await waitFor('the connection to be given up', () => poolOf(dataSource)?.totalCount === 1);
    expect(poolOf(dataSource)).toMatchObject({ idleCount: 1 });
    proxy.delayAnswers(0);
    expect(await processes()).toHaveLength(2);
  });

  it('does not end what is long', async () => {
    const slept = urgent().transaction((tx) => tx.query(SLEEP, []), { long: true });
    expect(await slept).toHaveLength(1);
  });
});

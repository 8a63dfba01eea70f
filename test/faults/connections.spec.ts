import { Client, type Pool } from 'pg';
import { DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/connection/data-source.js';
import { Database, DEFAULT_LIMITS } from '../../src/database/index.js';
import { poolOf } from '../../src/database/driver/driver.js';
import { LOCK_ACCOUNT } from '../../src/accounts/index.js';
import type { ApiResponse } from '../support/api-client.js';
import { expectError } from '../support/error-object.js';
import { executes, PostgresProxy } from '../support/database/postgres-proxy.cjs';
import { untilKnown } from '../support/obediently.js';
import { people, router, RoutingAccount } from '../support/routing-account.js';
import { sql } from '../support/database/stored-records.js';
import { storm } from '../support/storm.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { TestService } from '../support/test-service.js';
import { waitFor } from '../support/wait-for.js';

const POOL_SIZE = 4;

const open = (service: TestService): Promise<RoutingAccount> => {
  const users = people(['ada', 'bob']);
  return RoutingAccount.open(service, { users, routers: [router('Inbound', {}, { users })] });
};

const contact = { fields: { first_name: 'Lead' } };

describe('a service with connections of its pool', () => {
  let service: TestService;
  let account: RoutingAccount;
  let pool: Pool;

  beforeEach(async () => {
    service = await TestService.start({ poolSize: POOL_SIZE });
    account = await open(service);
    pool = poolOf(service.app.get(DataSource, { strict: false }))!;
  });
  afterEach(() => service.stop());

  /** Opens all connections of the pool. @returns the processes behind them */
  async function fill(setting = 'SELECT 1'): Promise<number[]> {
    const clients = await Promise.all(Array.from({ length: POOL_SIZE }, () => pool.connect()));
    const pids = clients.map(async (client) => {
      await client.query(setting);
      return (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid;
    });
    const all = await Promise.all(pids);
    for (const client of clients) client.release();
    return all;
  }

  it('keeps them when the database refuses a duplicate [2.8]', async () => {
    const fields = { first_name: 'Lead', email: 'taken@example.com' };
    expect((await account.api.post('/contacts', { fields })).status).toBe(201);
    const before = await fill();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => account.api.post('/contacts', { fields })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 409));
    expect((await fill()).sort()).toEqual(before.sort());
  });

  it.each<[string, (id: string) => Promise<ApiResponse>]>([
    ['a dispatch', (id) => account.dispatch('Inbound', id)],
    ['a create', () => account.api.post('/contacts', contact)],
    ['an update', (id) => account.api.patch(`/contacts/${id}`, contact)],
  ])('drops those that have become read-only, and %s does not notice [contract 1]', async (_, ask) => {
    const id = await account.contact();
    const sticky = await fill('SET default_transaction_read_only = on');
    // One that reads in the background at that moment is dropped by a later write.
    await waitFor('all of them to be dropped', async () => {
      expect([200, 201]).toContain((await ask(id)).status);
      return !(await fill()).some((pid) => sticky.includes(pid));
    });
  });

  it('answers 503 where the database itself is read-only, and reads [contract 1]', async () => {
    const id = await account.contact();
    const name = new URL(service.database.url).pathname.slice(1);
    await sql(service, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await fill('SET default_transaction_read_only = on');
    const refused = await Promise.all([
      account.dispatch('Inbound', id),
      account.api.post('/contacts', contact),
      account.api.delete(`/contacts/${id}`),
    ]);
    for (const answer of refused) {
      expectError(answer, 503, { message: 'The database is unavailable, try again shortly' });
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect((await account.api.get(`/contacts/${id}`)).status).toBe(200);
    expect((await service.anonymous.get('/health/ready')).status).toBe(200);
    await sql(
      service,
      `BEGIN READ WRITE; ALTER DATABASE ${name} RESET default_transaction_read_only; COMMIT`,
    );
    await waitFor(
      'writes to work again',
      async () => (await account.api.delete(`/contacts/${id}`)).status === 200,
    );
  });

  it('answers every request though they are ended all the time, and does each write once [contract 1]', async () => {
    const KILLS = storm(60, 15);
    const routerId = await account.routerId('Inbound');
    const create = (): Promise<ApiResponse> =>
      untilKnown((key) => account.api.post('/contacts', contact, key));
    let kills = 0;
    const answers: ApiResponse[] = [];
    const client = async (n: number): Promise<void> => {
      for (let turn = n; kills < KILLS; turn++) {
        const asked = [
          create,
          () => account.api.get('/contacts'),
          () => account.api.get('/routers'),
          async () => {
            const sent = { router_id: routerId, object_id: (await create()).body.id };
            return untilKnown((key) => account.api.post('/dispatch/router', sent, key));
          },
        ];
        answers.push(await asked[turn % asked.length]!());
      }
    };
    const killer = async (): Promise<void> => {
      const admin = new Client({ connectionString: service.database.url });
      await admin.connect();
      for (; kills < KILLS; kills++) {
        // Work is rerun four times at most, which six clients must not lose in a row.
        const enough = answers.length + 8;
        await admin.query(
          `SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity
             WHERE datname = current_database() AND application_name = 'fairlead' ORDER BY random() LIMIT 1) AS one`,
        );
        while (answers.length < enough) await new Promise(setImmediate);
      }
      await admin.end();
    };
    await Promise.all([killer(), ...[0, 1, 2, 3, 4, 5].map(client)]);
    expect(answers.filter(({ status }) => status >= 400).map(({ body }) => body)).toEqual([]);
    const dispatched = answers.filter(({ body }) => 'success' in body);
    const created = answers.filter(({ status }) => status === 201);
    const [counts] = await sql(
      service,
      'SELECT (SELECT count(*)::int FROM records) AS records, (SELECT count(*)::int FROM assignments) AS log',
    );
    expect(counts).toEqual({ records: created.length + dispatched.length, log: dispatched.length });
  });
});

describe('a router whose lock is held by a process that has vanished', () => {
  it('is free again before those who wait give up [contract 1]', async () => {
    const service = await TestService.start({ poolSize: POOL_SIZE });
    const limits = { ...DEFAULT_LIMITS, idleInTransaction: 1_000 };
    const other = createDataSource({ url: service.database.url, poolSize: 1, entities: [], limits });
    await other.initialize();
    try {
      const account = await open(service);
      const id = await account.contact();
      const { accountId } = await service.account(account.slug);
      let attempts = 0;
      let comeBack = (): void => undefined;
      const away = new Promise<void>((resolve) => (comeBack = resolve));
      let vanished: Promise<void> | undefined;
      await new Promise<void>((locked) => {
        vanished = Database.of(other).transaction(async (tx) => {
          await tx.query(LOCK_ACCOUNT, [accountId]);
          attempts += 1;
          locked();
          if (attempts === 1) await away;
        });
      });
      expect((await account.dispatch('Inbound', id)).body).toMatchObject({ success: true });
      comeBack();
      await vanished;
      expect(attempts).toBe(2);
    } finally {
      await other.destroy();
      await service.stop();
    }
  });
});

describe('a service that cannot find out what became of a write', () => {
  it('says so, does not ask for another try, and logs the outage once [contract 1]', async () => {
    const database = await createTestDatabase();
    const proxy = await PostgresProxy.start(database.url);
    const service = await TestService.start({
      database: { url: proxy.url, drop: () => Promise.resolve() },
      poolSize: POOL_SIZE,
    });
    try {
      const account = await open(service);
      const ids = [await account.contact(), await account.contact()];
      proxy.failAt(executes('dispatch_write_assignments'), 'swallow');
      const batch = account.batch('Inbound', ids);
      await waitFor('the write of the batch to be swallowed', () => proxy.hasFailed);
      proxy.failAt(executes('record_insert'), 'reset after');
      const create = account.api.post('/contacts', contact);
      while (!proxy.hasFailed) await new Promise(setImmediate);
      proxy.refuse();
      const unknown = { message: expect.stringContaining('may or may not'), code: 'outcome_unknown' };
      const answer = await create;
      expectError(answer, 503, unknown);
      expect(answer.headers.has('retry-after')).toBe(false);
      // The first one was written, and the second has waited behind it in vain.
      expect((await batch).body.results).toEqual([
        expect.objectContaining({ object_id: ids[0], status: 503, error: true, ...unknown }),
        expect.objectContaining({ object_id: ids[1], status: 503, error: true, code: 'unavailable' }),
      ]);
      await Promise.all(Array.from({ length: 5 }, () => account.api.get('/contacts')));
      expect(service.logs.filter(({ level }) => level === 'error').map(({ msg }) => msg)).toEqual([
        expect.stringMatching(/^The database cannot serve: /),
      ]);
    } finally {
      await service.stop();
      await proxy.close();
      await database.drop();
    }
  });
});

describe('a service whose database speaks another language', () => {
  let database: TestDatabase;
  let proxy: PostgresProxy;
  let service: TestService;
  let account: RoutingAccount;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await PostgresProxy.start(database.url);
    // As with lc_messages = 'ru_RU.UTF-8'.
    proxy.rewriteError = (fields) =>
      fields.replace(/^SERROR\0/, 'SОШИБКА\0').replace(/^SFATAL\0/, 'SВАЖНО\0');
    service = await TestService.start({
      database: { url: proxy.url, drop: () => Promise.resolve() },
      poolSize: 1,
    });
    account = await open(service);
  });
  afterAll(async () => {
    await service.stop();
    await proxy.close();
    await database.drop();
  });

  /** That of the only connection. */
  const session = async (): Promise<number> => {
    const pool = service.app.get(DataSource, { strict: false });
    return (await pool.query<{ pid: number }[]>('SELECT pg_backend_pid() AS pid'))[0]!.pid;
  };

  it('keeps a connection when a duplicate is refused [2.8]', async () => {
    const fields = { first_name: 'Lead', email: 'taken@example.com' };
    expect((await account.api.post('/contacts', { fields })).status).toBe(201);
    const before = await session();
    expect((await account.api.post('/contacts', { fields })).status).toBe(409);
    expect(await session()).toBe(before);
  });

  it.each<[string, number, (id: string) => Promise<ApiResponse>]>([
    ['a list', 200, () => account.api.get('/contacts')],
    // It may have happened.
    ['a create', 503, () => account.api.post('/contacts', contact)],
    ['a dispatch', 200, (id) => account.dispatch('Inbound', id)],
  ])(
    'answers %s with %s when the server ends its connection, and uses another one [contract 1]',
    async (_, status, ask) => {
      const id = await account.contact();
      await account.routerId('Inbound');
      const before = await session();
      const other = new Client({ connectionString: database.url });
      await other.connect();
      await other.query('BEGIN; LOCK TABLE records, assignments IN ACCESS EXCLUSIVE MODE');
      const answer = ask(id);
      const waits = `SELECT pid FROM pg_locks WHERE NOT granted AND pid = ${before}`;
      await waitFor('a statement that waits', async () => (await other.query(waits)).rowCount === 1);
      await other.query(`SELECT pg_terminate_backend(${before})`);
      await other.query('COMMIT');
      await other.end();
      expect((await answer).status).toBe(status);
      expect(await session()).not.toBe(before);
    },
  );
});

it('a session ends where its client has vanished: PostgreSQL is told when to ask for it [contract 1]', async () => {
  const service = await TestService.start({ poolSize: 1 });
  try {
    await open(service);
    const rows = await service.app.get(DataSource, { strict: false }).query<object[]>(
      `SELECT name, source FROM pg_settings
       WHERE name ~ '^tcp_(keepalives|user_timeout)' OR name = 'client_connection_check_interval' ORDER BY name`,
    );
    expect(rows).toEqual(
      [
        'client_connection_check_interval',
        'tcp_keepalives_count',
        'tcp_keepalives_idle',
        'tcp_keepalives_interval',
        'tcp_user_timeout',
      ].map((name) => ({ name, source: 'session' })),
    );
  } finally {
    await service.stop();
  }
});

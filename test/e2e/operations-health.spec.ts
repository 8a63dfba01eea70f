// Services of its own, whose databases are cut off and dropped.
import { Client } from 'pg';
import { HealthService } from '../../src/health/health.service.js';
import type { ApiClient, ApiResponse, RequestOptions } from '../support/api-client.js';
import { expectError } from '../support/error-object.js';
import { ACTIVITY, READY } from '../support/database/cluster.js';
import { PostgresProxy } from '../support/database/postgres-proxy.cjs';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { TestService } from '../support/test-service.js';
import { waitFor } from '../support/wait-for.js';

const UNAVAILABLE = 'The database is unavailable, try again shortly';

/** Asserts the 503 for an unreachable database. */
function expectUnavailable(response: ApiResponse): void {
  expectError(response, 503, { message: UNAVAILABLE });
  expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
}

describe('health', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());

  it.each([
    ['/health/live', { status: 'ok' }],
    ['/health/ready', READY],
  ])('%s answers without a token [contract 5]', async (path, said) => {
    const { status, headers, body } = await service.anonymous.get(path);
    expect({ status, body }).toEqual({ status: 200, body: said });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const refused = { headers: { Authorization: 'Bearer nonsense' } };
    expect((await service.anonymous.get(path, refused)).status).toBe(200);
  });

  it.each(['/health/live', '/health/ready'])('%s is read only [contract 1]', async (path) => {
    const response = await service.anonymous.post(path);
    expectError(response, 405, { message: 'POST is not allowed here; allowed: GET, HEAD' });
    expect(response.headers.get('allow')).toBe('GET, HEAD');
  });
});

describe('a service that is about to stop', () => {
  it('is alive and no longer ready, so that it is given no more requests [contract 5]', async () => {
    const service = await TestService.start();
    try {
      service.app.get(HealthService, { strict: false }).beforeApplicationShutdown();
      const ready = await service.anonymous.get('/health/ready');
      expectError(ready, 503, { message: 'The service is shutting down' });
      expect(ready.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect((await service.anonymous.get('/health/live')).status).toBe(200);
    } finally {
      await service.stop();
    }
  });
});

describe('a database that goes away', () => {
  let database: TestDatabase;
  let proxy: PostgresProxy;
  let service: TestService;
  let api: ApiClient;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await PostgresProxy.start(database.url);
    service = await TestService.start({ database: { url: proxy.url, drop: () => Promise.resolve() } });
    api = await service.login('acme');
  });
  afterAll(async () => {
    await service.stop();
    await proxy.cut();
    await database.drop();
  });

  it('is 503 on every route that needs it, and the service recovers by itself [7, contract 1, contract 5]', async () => {
    const { body: contact } = await api.post('/contacts', { fields: { first_name: 'Before' } });
    const credentials = { client_id: contact.id, client_secret: 'x' };
    expect((await service.anonymous.get('/health/ready')).status).toBe(200);

    await proxy.cut();
    for (const response of await Promise.all([
      service.anonymous.get('/health/ready'),
      api.get('/contacts'),
      api.get(`/contacts/${contact.id}`),
      api.post('/contacts', { fields: { first_name: 'During' } }),
      api.patch(`/contacts/${contact.id}`, { fields: { first_name: 'During' } }),
      api.delete(`/contacts/${contact.id}`),
      api.get('/routers'),
      api.post('/dispatch/router', { router_id: contact.id, object_id: contact.id }),
    ])) {
      expectUnavailable(response);
    }
    const token = await service.anonymous.post('/oauth2/token', credentials);
    expectUnavailable(token);
    expect(token.headers.get('cache-control')).toBe('no-store');
    expect((await service.anonymous.get('/health/live')).status).toBe(200);

    await proxy.restore();
    await waitFor(
      'the service to be ready',
      async () => (await service.anonymous.get('/health/ready')).status === 200,
      10_000,
    );
    const after = await api.get(`/contacts/${contact.id}`);
    expect({ status: after.status, body: after.body }).toEqual({ status: 200, body: contact });
    expect((await api.post('/contacts', { fields: { first_name: 'After' } })).status).toBe(201);
    const { body: list } = await api.get('/contacts');
    expect(list.data.map(({ first_name }: { first_name: string }) => first_name)).toEqual([
      'Before',
      'After',
    ]);
  });

  describe('under a write that waits for a lock', () => {
    let admin: Client;
    let id: string;
    beforeEach(async () => {
      id = (await api.post('/contacts', { fields: { first_name: 'Before' } })).body.id;
      admin = new Client({ connectionString: database.url });
      await admin.connect();
      await admin.query('BEGIN');
      const { accountId } = await service.account('acme');
      await admin.query('SELECT FROM records WHERE account_id = $1 AND id = $2 FOR UPDATE', [accountId, id]);
    });
    afterEach(() => admin.end());

    const update = (options?: RequestOptions): Promise<ApiResponse> =>
      api.patch(`/contacts/${id}`, { fields: { first_name: 'After' } }, options);

    /** The session that waits for the lock. @param other one that does not count */
    const waiting = (other: number): Promise<number> =>
      waitFor('the request to wait for the lock', async () => {
        await admin.query('SELECT pg_stat_clear_snapshot()');
        const { rows } = await admin.query<{ pid: number }>(
          `SELECT pid FROM ${ACTIVITY}
           WHERE datname = current_database() AND wait_event_type = 'Lock' AND pid <> $1`,
          [other],
        );
        return rows[0]?.pid;
      });

    it('says that it may have happened, and does not repeat it [contract 1]', async () => {
      const pending = update();
      await admin.query('SELECT pg_terminate_backend($1::int)', [await waiting(0)]);
      const answer = await pending;
      const message = expect.stringContaining('may or may not have happened') as string;
      expectError(answer, 503, { message, code: 'outcome_unknown' });
      expect(answer.headers.has('retry-after')).toBe(false);
      await admin.query('ROLLBACK');
      expect((await api.get(`/contacts/${id}`)).body.first_name).toBe('Before');
    });

    it('costs one with a key nothing but time [contract 1, contract 7]', async () => {
      const pending = update({ headers: { 'Idempotency-Key': 'once' } });
      const pid = await waiting(0);
      await admin.query('SELECT pg_terminate_backend($1::int)', [pid]);
      await waiting(pid);
      await admin.query('ROLLBACK');
      const { status, body } = await pending;
      expect([status, body.first_name]).toEqual([200, 'After']);
    });
  });

  it('survives the end of every connection at once [contract 5]', async () => {
    const admin = new Client({ connectionString: database.url });
    await admin.connect();
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await admin.end();
    await waitFor(
      'the service to be ready',
      async () => (await service.anonymous.get('/health/ready')).status === 200,
      10_000,
    );
    expect((await api.get('/contacts')).status).toBe(200);
  });
});

describe('a database that is dropped', () => {
  it('is 503, not 500 [7, contract 1, contract 5]', async () => {
    const service = await TestService.start();
    try {
      const api = await service.login('acme');
      await service.database.drop();
      const ready = await service.anonymous.get('/health/ready');
      expect(ready.status).toBe(503);
      expect(ready.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expectUnavailable(await api.get('/contacts'));
    } finally {
      await service.stop();
    }
  });
});

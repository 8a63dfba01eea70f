// Services of its own: one whose tables are changed, one whose database is cut off. The others share theirs.
import { ApiClient } from '../../support/api-client.js';
import { expectError } from '../../support/error-object.js';
import { RECORD_TYPES, UNKNOWN_ID, UUID_V7 } from '../../support/record-types.js';
import { rawRequest } from '../../support/raw-request.js';
import { sql, storedRecords } from '../../support/database/stored-records.js';
import { PostgresProxy } from '../../support/database/postgres-proxy.cjs';
import { createTestDatabase } from '../../support/database/test-database.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let api: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  api = await service.login('acme');
});
afterAll(() => service.stop());

/** Every route of an object type: method, path, body. */
function routes(type: string, id: string, fields: object): [method: string, path: string, body?: object][] {
  return [
    ['GET', `/${type}`],
    ['POST', `/${type}`, { fields }],
    ['GET', `/${type}/${id}`],
    ['PATCH', `/${type}/${id}`, { fields }],
    ['DELETE', `/${type}/${id}`],
  ];
}

describe.each(RECORD_TYPES)('The routes of $type', ({ type, minimal }) => {
  let id: string;

  beforeAll(async () => {
    ({
      body: { id },
    } = await api.post(`/${type}`, { fields: minimal }));
  });

  it.each([
    ['no token', undefined],
    ['a token that is none', 'nonsense'],
    ['an empty token', ''],
  ])('answer 401 to %s and do nothing [4, 5.2, 7, contract 1]', async (_, token) => {
    const before = await storedRecords(service);
    const client = new ApiClient(service.url, token);
    for (const [method, path, body] of routes(type, id, minimal)) {
      const response = await client.request(method, path, body);
      expectError(response, 401, { message: expect.stringMatching(/^Unauthorized/) });
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
    expect(await storedRecords(service)).toEqual(before);
  });

  it('answer 403 to a token without their scope, naming it, and do nothing [5.5, contract 1, contract 2]', async () => {
    const before = await storedRecords(service);
    const reader = await service.login('acme', ['records:read']);
    const writer = await service.login('acme', ['records:write']);
    for (const [method, path, body] of routes(type, id, minimal)) {
      const [client, scope] = method === 'GET' ? [writer, 'records:read'] : [reader, 'records:write'];
      expectError(await client.request(method, path, body), 403, { message: expect.stringContaining(scope) });
    }
    expect(await storedRecords(service)).toEqual(before);
  });

  it.each([
    ['PUT', '', 'GET, HEAD, POST'],
    ['PATCH', '', 'GET, HEAD, POST'],
    ['DELETE', '', 'GET, HEAD, POST'],
    ['OPTIONS', '', 'GET, HEAD, POST'],
    ['POST', '/id', 'DELETE, GET, HEAD, PATCH, PUT'],
    ['OPTIONS', '/id', 'DELETE, GET, HEAD, PATCH, PUT'],
    ['PROPFIND', '/id', 'DELETE, GET, HEAD, PATCH, PUT'],
  ])('answer 405 to %s on /…%s, allowing %s [contract 1]', async (method, item, allow) => {
    const before = await storedRecords(service);
    const path = `/${type}${item === '' ? '' : `/${id}`}`;
    const response = await rawRequest(api, method, path);
    expectError(response, 405, { message: expect.stringContaining(method) });
    expect(response.headers.get('allow')).toBe(allow);
    expect(await storedRecords(service)).toEqual(before);
  });

  it('answer HEAD like GET, without a body [contract 1]', async () => {
    for (const path of [`/${type}`, `/${type}/${id}`]) {
      const got = await rawRequest(api, 'GET', path);
      const head = await rawRequest(api, 'HEAD', path);
      expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' });
      expect(head.headers.get('content-length')).toBe(got.headers.get('content-length'));
      expect(head.headers.get('content-type')).toBe(got.headers.get('content-type'));
    }
    const missing = await rawRequest(api, 'HEAD', `/${type}/${UNKNOWN_ID}`);
    expect({ status: missing.status, text: missing.text }).toEqual({ status: 404, text: '' });
    const refused = await rawRequest(api, 'HEAD', `/${type}?limit=0`);
    expect({ status: refused.status, text: refused.text }).toEqual({ status: 400, text: '' });
  });
});

describe('Unknown routes', () => {
  it.each([
    '/',
    '/contact',
    '/contacts/x/y',
    '/v2/contacts',
    '/api/contacts',
    '/contactsx',
    '//contacts',
    '/favicon.ico',
  ])('%s answers 404 to every method [contract 1]', async (path) => {
    for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']) {
      expectError(await rawRequest(api, method, path), 404, { message: expect.any(String) });
      expectError(await rawRequest(service.anonymous, method, path), 404, { message: expect.any(String) });
    }
  });
});

describe('X-Request-Id', () => {
  it.each(['abc', '7f3c-1', 'a.b_c:d/e+f=g@h', 'x'.repeat(128)])('%s is echoed [contract 1]', async (id) => {
    const options = { headers: { 'X-Request-Id': id } };
    expect((await api.get('/contacts', options)).headers.get('x-request-id')).toBe(id);
    const error = await api.get(`/contacts/${UNKNOWN_ID}`, options);
    expect(error.headers.get('x-request-id')).toBe(id);
    expect(error.body.request_id).toBe(id);
  });

  it.each([undefined, '', 'x'.repeat(129), 'a b', 'é', '<script>', '"quoted"', '{"a":1}', 'a;b', '%0a'])(
    '%s is replaced by a new one [contract 1]',
    async (id) => {
      const headers = id === undefined ? {} : { 'X-Request-Id': id };
      const seen = new Set<string>();
      for (const path of ['/contacts', '/contacts', `/contacts/${UNKNOWN_ID}`, '/nowhere', '/health/live']) {
        const response = await rawRequest(api, 'GET', path, { headers });
        seen.add(response.headers.get('x-request-id')!);
        if (response.status >= 400) {
          expect(response.body.request_id).toBe(response.headers.get('x-request-id'));
        }
      }
      expect(seen.size).toBe(5);
      for (const each of seen) expect(each).toMatch(UUID_V7);
    },
  );

  it('is on every log line, which holds nothing of the body or the token [contract 1]', async () => {
    const start = service.logs.length;
    await api.post(
      '/contacts',
      { fields: { first_name: 'Secretive' } },
      { headers: { 'X-Request-Id': 'in-the-log' } },
    );
    await api.get('/contacts?archived=perhaps', { headers: { 'X-Request-Id': 'also-in-the-log' } });
    const sent = new Set<unknown>(['in-the-log', 'also-in-the-log']);
    const lines = service.logs.slice(start).filter((line) => sent.has(line['request_id']));
    expect(lines.map((line) => [line['request_id'], line['res'].status])).toEqual([
      ['in-the-log', 201],
      ['also-in-the-log', 400],
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/Secretive|perhaps/);
    expect(JSON.stringify(lines)).not.toContain(api.token);
  });
});

describe('What is not the caller’s doing', () => {
  it('is a bare 500, logged in full with the request id [2.9, 4.3, 7, contract 1]', async () => {
    const broken = await TestService.start();
    try {
      const client = await broken.login('acme');
      await sql(broken, 'ALTER TABLE records RENAME COLUMN fields TO gone');
      for (const { type, minimal } of RECORD_TYPES) {
        for (const [method, path, body] of routes(type, UNKNOWN_ID, minimal)) {
          const response = await client.request(method, path, body);
          expectError(response, 500, { message: 'Internal server error' });
        }
      }
      const failures = broken.logs.filter(({ err }) => err !== undefined);
      expect(failures).toHaveLength(4 * 5);
      for (const line of failures) expect(line['request_id']).toMatch(UUID_V7);
      await sql(broken, 'ALTER TABLE records RENAME COLUMN gone TO fields');
      expect((await client.get('/contacts')).status).toBe(200);
    } finally {
      await broken.stop();
    }
  });

  it('is a 503 with Retry-After while the database is out of reach [contract 1]', async () => {
    const database = await createTestDatabase();
    const proxy = await PostgresProxy.start(database.url);
    const cut = await TestService.start({ database: { ...database, url: proxy.url } });
    try {
      const client = await cut.login('acme');
      expect((await client.get('/contacts')).status).toBe(200);
      await proxy.cut();
      for (const [method, path, body] of routes('contacts', UNKNOWN_ID, { first_name: 'Ada' })) {
        const response = await client.request(method, path, body);
        expectError(response, 503, { message: expect.stringContaining('unavailable') });
        expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
      }
      await proxy.restore();
      expect((await client.get('/contacts')).status).toBe(200);
    } finally {
      await cut.stop();
      await proxy.cut();
      await database.drop();
    }
  });
});

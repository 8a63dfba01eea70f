// Services of its own: all that they log is compared.
import { once } from 'node:events';
import { connect } from 'node:net';
import { Client } from 'pg';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { expectError } from '../support/error-object.js';
import { isOnCluster } from '../support/database/cluster.js';
import { HeldLocks } from '../support/database/held-locks.js';
import { HeldRecords } from '../support/database/held-records.js';
import { rawRequest } from '../support/raw-request.js';
import { TestService } from '../support/test-service.js';
import { waitFor } from '../support/wait-for.js';

const SECRET_VALUE = 'Wittgenstein';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let service: TestService;
let api: ApiClient;
let clientSecret: string;
/** Whom a line names when the token is good. */
let caller: { client_id: string; account_id: string };

beforeAll(async () => {
  service = await TestService.start({ bodyLimit: '16kb' });
  const client = await service.createClient('acme');
  ({ clientSecret } = client);
  caller = { client_id: client.clientId, account_id: (await service.account('acme')).accountId };
  const { body } = await service.anonymous.post('/oauth2/token', {
    client_id: client.clientId,
    client_secret: clientSecret,
  });
  api = new ApiClient(service.url, body.access_token);
});
afterAll(() => service.stop());

/** The lines logged for a request. */
const linesOf = (id: string | null): Record<string, any>[] =>
  service.logs.filter(({ request_id }) => request_id === id);

/** The line that says how a request was answered. */
const lineOf = (response: ApiResponse): Promise<Record<string, any>> =>
  waitFor('the line of the request', () =>
    linesOf(response.headers.get('x-request-id')).find(({ msg }) => /^request/.test(String(msg))),
  );

/** Asserts that no log line so far contains a secret. */
function expectDiscreet(): void {
  const text = JSON.stringify(service.logs);
  for (const told of [SECRET_VALUE, SECRET_VALUE.toLowerCase(), clientSecret, api.token!]) {
    expect(text.includes(told)).toBe(false);
  }
  expect(text).not.toMatch(/authorization|bearer |eyJ|password|cookie/i);
}

describe('the log', () => {
  it.each([
    ['a success', () => api.get('/contacts?limit=1'), 'GET', '/contacts', 200],
    [
      'a creation',
      () => api.post('/contacts', { fields: { last_name: SECRET_VALUE } }),
      'POST',
      '/contacts',
      201,
    ],
    ['a bad value', () => api.post('/deals', { fields: { amount: SECRET_VALUE } }), 'POST', '/deals', 400],
    ['an unknown field', () => api.post('/deals', { fields: { [SECRET_VALUE]: 1 } }), 'POST', '/deals', 400],
    ['bad JSON', () => api.post('/deals', undefined, { raw: `{"${SECRET_VALUE}` }), 'POST', '/deals', 400],
    ['a bad query', () => api.get(`/deals?${SECRET_VALUE}=${SECRET_VALUE}`), 'GET', '/deals', 400],
    ['an unknown record', () => api.get('/contacts/nope'), 'GET', '/contacts/nope', 404],
    ['a scope that is missing', () => api.get('/clients'), 'GET', '/clients', 403],
    ['an unknown route', () => api.get('/nope?token=x'), 'GET', '/nope', 404],
    ['a wrong method', () => api.request('PUT', '/contacts'), 'PUT', '/contacts', 405],
    [
      'too large a body',
      () => api.post('/contacts', { fields: { last_name: SECRET_VALUE.repeat(2_000) } }),
      'POST',
      '/contacts',
      413,
    ],
    [
      'a wrong media type',
      () =>
        api.post('/contacts', undefined, { raw: SECRET_VALUE, headers: { 'Content-Type': 'text/plain' } }),
      'POST',
      '/contacts',
      415,
    ],
    [
      'a token that is none',
      () => service.anonymous.get('/contacts', { headers: { Authorization: `Bearer ${SECRET_VALUE}` } }),
      'GET',
      '/contacts',
      401,
    ],
    [
      'a wrong secret',
      () => service.anonymous.post('/oauth2/token', { client_id: SECRET_VALUE, client_secret: SECRET_VALUE }),
      'POST',
      '/oauth2/token',
      401,
    ],
    [
      'a token in the query',
      () => service.anonymous.get(`/contacts?access_token=${api.token!}`),
      'GET',
      '/contacts',
      401,
    ],
  ])('has one line for %s, and nothing secret in it [contract 1]', async (_, send, method, path, status) => {
    const response = await send();
    expect(response.status).toBe(status);
    const line = await lineOf(response);
    const isRouted = path !== '/nope' && status !== 405;
    expect(line).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      request_id: response.headers.get('x-request-id'),
      req: { method, path },
      res: { status },
      duration_ms: expect.any(Number),
      ...(isRouted ? { route: path === '/contacts/nope' ? '/contacts/:contactId' : path } : {}),
      ...(isRouted && status !== 401 ? caller : {}),
      msg: 'request',
    });
    expect(linesOf(line['request_id'])).toHaveLength(1);
    expectDiscreet();
  });

  it('names the client that is refused for too many requests [contract 1, contract 6]', async () => {
    const limited = await TestService.start({
      database: service.database,
      env: { RATE_LIMIT_PER_CLIENT: '1' },
    });
    try {
      const flood = new ApiClient(limited.url, api.token);
      while ((await flood.get('/contacts')).status !== 429);
      const line = await waitFor('the line', () => limited.logs.find(({ res }) => res?.status === 429));
      expect(line).toMatchObject({ route: '/contacts', ...caller });
    } finally {
      await limited.stop();
    }
  });

  it('has one line for a request that its client gave up [contract 1]', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const begun = once(service.app.getHttpServer(), 'request');
    socket.write(
      `POST /contacts HTTP/1.1\r\nHost: ${hostname}\r\nX-Request-Id: given-up\r\n` +
        `Authorization: Bearer ${api.token ?? ''}\r\n` +
        `Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"fields"`,
    );
    await begun;
    socket.destroy();
    const line = await waitFor('the line', () => linesOf('given-up')[0]);
    expect(line).toMatchObject({
      level: 'info',
      req: { method: 'POST', path: '/contacts' },
      msg: 'request aborted',
    });
    await lineOf(await api.get('/contacts?limit=1'));
    expect(linesOf('given-up')).toEqual([line]);
    expectDiscreet();
  });

  it('has one line for each of several requests that are cut together [contract 1]', async () => {
    const locks = new HeldLocks(() => service);
    const ids = ['cut-1', 'cut-2', 'cut-3'];
    try {
      await locks.table('records');
      const { hostname, port } = new URL(service.url);
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      const body = JSON.stringify({ fields: { last_name: SECRET_VALUE } });
      const requests = ids.map(
        (id) =>
          `POST /contacts HTTP/1.1\r\nHost: ${hostname}\r\nX-Request-Id: ${id}\r\n` +
          `Authorization: Bearer ${api.token ?? ''}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      socket.write(requests.join(''));
      await new HeldRecords(() => service).waiting(1, { orMore: true });
      socket.destroy();
      await waitFor('the lines', () => ids.every((id) => linesOf(id).length > 0));
      for (const id of ids) {
        expect(linesOf(id)).toMatchObject([{ res: { status: null }, msg: 'request aborted' }]);
      }
      expectDiscreet();
    } finally {
      await locks.release();
    }
  });

  it('tells no status of an answer that nobody got [contract 1]', async () => {
    const locks = new HeldLocks(() => service);
    try {
      await locks.table('records');
      const impatient = new AbortController();
      const pending = fetch(`${service.url}/contacts`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${api.token!}`,
          'Content-Type': 'application/json',
          'X-Request-Id': 'impatient',
        },
        body: JSON.stringify({ fields: { last_name: SECRET_VALUE } }),
        signal: impatient.signal,
      });
      await new HeldRecords(() => service).waiting(1, { orMore: true });
      impatient.abort();
      await expect(pending).rejects.toThrow();
      const line = await waitFor('the line', () => linesOf('impatient')[0]);
      expect(line).toMatchObject({ level: 'info', res: { status: null }, msg: 'request aborted' });
      expectDiscreet();
    } finally {
      await locks.release();
    }
  });

  it('has no values of a record in it when a duplicate is refused [2.8, contract 1]', async () => {
    const contact = { fields: { email: `${SECRET_VALUE}@example.com`, last_name: SECRET_VALUE } };
    expect((await api.post('/contacts', contact)).status).toBe(201);
    const duplicate = await api.post('/contacts', contact);
    expect(duplicate.status).toBe(409);
    expect((await lineOf(duplicate))['res']).toEqual({ status: 409 });
    expectDiscreet();
  });

  it('tells why a request failed inside, the answer does not, and neither has values [7, contract 1]', async () => {
    const admin = new Client({ connectionString: service.database.url });
    await admin.connect();
    await admin.query('ALTER TABLE records ADD CONSTRAINT broken CHECK (false) NOT VALID');
    try {
      const response = await api.post('/contacts', { fields: { last_name: SECRET_VALUE } });
      expectError(response, 500, { message: 'Internal server error' });
      const line = await lineOf(response);
      expect(line).toMatchObject({ level: 'error', req: { method: 'POST' }, res: { status: 500 } });
      const lines = linesOf(response.headers.get('x-request-id'));
      const cause = lines.find(({ err }) => err !== undefined);
      // Between nodes of a cluster only the message has the name.
      const named = isOnCluster ? {} : { constraint: 'broken' };
      expect(cause).toMatchObject({ level: 'error', err: { code: '23514', ...named } });
      expect(cause?.['err'].stack).toEqual(expect.stringContaining('broken'));
      expectDiscreet();
    } finally {
      await admin.query('ALTER TABLE records DROP CONSTRAINT broken');
      await admin.end();
    }
    expect((await api.post('/contacts', { fields: { last_name: SECRET_VALUE } })).status).toBe(201);
  });
});

describe('X-Request-Id', () => {
  it.each(['abc', 'a'.repeat(128), '01890000-0000-7000-8000-000000000000', 'A1._:/+=@-'])(
    'is taken over from the client: %s [contract 1]',
    async (id) => {
      for (const path of ['/contacts', '/nope', '/contacts/nope']) {
        const response = await api.get(path, { headers: { 'X-Request-Id': id } });
        expect(response.headers.get('x-request-id')).toBe(id);
        if (response.status !== 200) expect(response.body.request_id).toBe(id);
      }
      const line = await waitFor('the lines', () => {
        const lines = linesOf(id);
        return lines.length === 3 ? lines : undefined;
      });
      expect(line.map(({ res }) => res.status)).toEqual([200, 404, 404]);
    },
  );

  it.each([
    ['empty', ''],
    ['too long', 'a'.repeat(129)],
    ['with spaces', 'a b'],
    ['with quotes', '"}'],
    ['with markup', '<script>'],
    ['outside ASCII', 'é'],
  ])('is made anew when the client sends one that is %s [contract 1]', async (_, id) => {
    const response = await rawRequest(api, 'GET', '/nope', { headers: { 'X-Request-Id': id } });
    expect(response.headers.get('x-request-id')).toMatch(UUID);
    expectError(response, 404, { message: 'Not found' });
    expect(await lineOf(response)).toBeDefined();
  });

  it('is another one for every request that sends none [contract 1]', async () => {
    const ids = await Promise.all(
      ['/contacts', '/contacts', '/nope', '/health/live', '/openapi.json', '/docs'].map(async (path) =>
        (await service.anonymous.get(path)).headers.get('x-request-id'),
      ),
    );
    for (const id of ids) expect(id).toMatch(UUID);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('security headers', () => {
  it.each(['/health/live', '/contacts', '/nope', '/docs', '/openapi.json'])(
    'are on the answer of %s [contract 1]',
    async (path) => {
      const { headers } = await service.anonymous.get(path);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy': expect.stringContaining("default-src 'self'"),
        'strict-transport-security': expect.stringMatching(/^max-age=\d{7,}/),
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
      expect(headers.has('x-powered-by')).toBe(false);
      expect(headers.has('server')).toBe(false);
    },
  );
});

import { SCOPES, type Scope } from '../../src/auth/index.js';
import { ApiClientsService } from '../../src/management/index.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { expectError } from '../support/error-object.js';
import { forgeToken } from '../support/forge-token.js';
import { isPublic, routesOf } from '../support/routes.js';
import { TestService } from '../support/test-service.js';
import { waitFor } from '../support/wait-for.js';

/** Milliseconds within which a revocation must take effect (contract section 2). */
const FELT_WITHIN = 5_000;
const ID = '01890000-0000-7000-8000-000000000000';
const TYPES = ['contacts', 'companies', 'deals', 'tickets'];

/**
 * A route with the scopes of which each is enough, separated by spaces, its status for a token with one of
 * them, and its body where it has one. A refusal names the first scope.
 */
type Route = readonly [method: string, path: string, scopes: string, status: number, body?: object];

/** The scopes that read a kind of configuration. */
const readersOf = (kind: string): string =>
  ['clients', 'members'].includes(kind) ? 'manage' : 'directory:read manage';

/** Every route except token and health. */
const ROUTES: readonly Route[] = [
  ...TYPES.flatMap((type): Route[] => [
    ['GET', `/${type}`, 'records:read', 200],
    ['POST', `/${type}`, 'records:write', 400],
    ['POST', `/${type}/search`, 'records:read', 200, {}],
    ['GET', `/${type}/${ID}`, 'records:read', 404],
    ['PATCH', `/${type}/${ID}`, 'records:write', 404],
    ['PUT', `/${type}/${ID}`, 'records:write', 400],
    ['DELETE', `/${type}/${ID}`, 'records:write', 404],
    ['POST', `/${type}/${ID}/restore`, 'records:write', 404, {}],
    ['GET', `/${type}/${ID}/history`, 'records:read', 404],
    ['POST', `/${type}/batch/read`, 'records:read', 400],
    ...['create', 'update', 'upsert', 'archive', 'restore'].map((action): Route => [
      'POST',
      `/${type}/batch/${action}`,
      'records:write',
      400,
    ]),
  ]),
  ['GET', '/routers', 'routers:read', 200],
  ['GET', `/routers/${ID}`, 'routers:read', 404],
  ['POST', '/routers', 'manage', 400],
  ['PATCH', `/routers/${ID}`, 'manage', 404],
  ['DELETE', `/routers/${ID}`, 'manage', 404],
  ['DELETE', `/routers/${ID}/draft`, 'manage', 404],
  ['POST', `/routers/${ID}/publish`, 'manage', 400],
  ['POST', `/routers/${ID}/unpublish`, 'manage', 400],
  ['POST', `/routers/${ID}/rollback`, 'manage', 400],
  ['GET', `/routers/${ID}/versions`, 'directory:read manage', 404],
  ['GET', `/routers/${ID}/versions/1`, 'directory:read manage', 404],
  ['GET', `/routers/${ID}/diff`, 'directory:read manage', 404],
  ['GET', `/routers/${ID}/fairness`, 'routers:read', 404],
  ['GET', '/assignments', 'routers:read', 200],
  ['GET', '/assignments/summary', 'routers:read', 400],
  ['GET', `/assignments/${ID}`, 'routers:read', 404],
  ['POST', '/dispatch/router', 'dispatch', 404, { router_id: ID, object_id: ID }],
  ['POST', '/dispatch/batch', 'dispatch', 404, { router_id: ID, object_ids: [ID] }],
  ['POST', '/dispatch/simulate', 'dispatch', 404, { router_id: ID, object_id: ID }],
  ['GET', '/users', 'directory:read manage', 200],
  ['POST', '/users', 'manage', 400],
  ['GET', `/users/${ID}`, 'directory:read manage', 404],
  ['PATCH', `/users/${ID}`, 'manage', 400, { available: false, email: 1 }],
  ['PATCH', `/users/${ID}`, 'manage', 404, {}],
  ['PATCH', `/users/${ID}`, 'manage availability', 404, { available: false }],
  ['DELETE', `/users/${ID}`, 'manage', 404],
  ['GET', '/audit', 'manage', 200],
  ['GET', '/status', 'manage', 200],
  ['GET', '/me', SCOPES.join(' '), 200],
  ...['teams', 'capacities', 'clients', 'members'].flatMap((kind): Route[] => [
    ['GET', `/${kind}`, readersOf(kind), 200],
    ['POST', `/${kind}`, 'manage', 400],
    ['GET', `/${kind}/${ID}`, readersOf(kind), 404],
    ['PATCH', `/${kind}/${ID}`, 'manage', 400],
    ['DELETE', `/${kind}/${ID}`, 'manage', 404],
  ]),
  ['POST', `/clients/${ID}/rotate`, 'manage', 404, {}],
  ['POST', `/members/${ID}/link`, 'manage', 404, {}],
  ['DELETE', `/members/${ID}/sessions`, 'manage', 404],
  ['GET', '/fields', 'records:read manage', 200],
  ['POST', '/fields', 'manage', 400],
  ['GET', `/fields/${ID}`, 'records:read manage', 404],
  ['PATCH', `/fields/${ID}`, 'manage', 400],
  ['DELETE', `/fields/${ID}`, 'manage', 404],
];

let service: TestService;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

/** The routes, each with a body to send. */
const REQUESTS = ROUTES.map(
  ([method, path, scopes, status, body = /^P/.test(method) ? { fields: {} } : undefined]) =>
    [method, path, scopes, status, body] as const,
);

/** The path of a request to a route. */
const requested = (path: string): string => path.replace('{version}', '1').replace(/\{\w+\}/g, ID);

describe('a scope', () => {
  const clients = new Map<string, Promise<ApiClient>>();

  /** A client that has these scopes, and no other. */
  function having(scopes: readonly Scope[]): Promise<ApiClient> {
    const client = clients.get(scopes.join(' ')) ?? service.login('acme', scopes);
    clients.set(scopes.join(' '), client);
    return client;
  }

  const expectRefused = (refused: ApiResponse, scope: string): void => {
    expectError(refused, 403, { message: `This token lacks the scope ${scope}`, code: 'insufficient_scope' });
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", scope="${scope}"`,
    );
  };

  it.each(REQUESTS)(
    '%s %s needs %s, and no other [5.5, contract 2, contract 6]',
    async (method, path, scopes, status, asked) => {
      const enough = scopes.split(' ');
      const others = SCOPES.filter((scope) => !enough.includes(scope));
      const allOthers = await having(others);
      expectRefused(await allOthers.request(method, path, asked), enough[0]!);
      for (const held of SCOPES) {
        const answer = await (await having([held])).request(method, path, asked);
        if (enough.includes(held)) expect(answer.status).toBe(status);
        else expectRefused(answer, enough[0]!);
      }
    },
  );

  it.each(REQUESTS)(
    '%s %s needs a token at all [4, 5.2, 7]',
    async (method, path, _scopes, _status, asked) => {
      const response = await service.anonymous.request(method, path, asked);
      expectError(response, 401, { message: 'Unauthorized: missing bearer token' });
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    },
  );

  it('and a token are needed on every route but token and health [4, 5.2, 5.5, contract 2]', async () => {
    const { clientId } = await service.createClient('acme', SCOPES);
    const { accountId } = await service.account('acme');
    const token = forgeToken({ clientId, accountId }, { claims: { scope: '' } });
    const powerless = new ApiClient(service.url, token);
    const routes = routesOf(service.app).filter((route) => !isPublic(route));
    const sorted = (requests: string[]): string[] => [...new Set(requests)].sort();
    // A route without a row above fails, and a row without a route.
    expect(sorted(ROUTES.map(([method, path]) => `${method} ${path}`))).toEqual(
      sorted(routes.map(({ method, path }) => `${method} ${requested(path)}`)),
    );
    for (const { method, path: pattern } of routes) {
      const path = requested(pattern);
      expect((await service.anonymous.request(method, path)).status).toBe(401);
      const { status, body: error } = await powerless.request(method, path);
      expect(status).toBe(403);
      expect(SCOPES.map((scope) => `This token lacks the scope ${scope}`)).toContain(error.message);
    }
  });

  it('is in the OpenAPI document, for each route [5.5, contract 2, contract 5]', async () => {
    const { body: document } = await service.anonymous.get('/openapi.json');
    const documented = new Map<string, string>();
    for (const { method, path } of routesOf(service.app)) {
      const { security = [] } = document.paths[path][method.toLowerCase()];
      documented.set(
        `${method} ${requested(path)}`,
        security.flatMap(({ oauth2 = [] }: any) => oauth2).join(' '),
      );
    }
    // The row of a route with the most scopes: a body may need more than the route.
    const rows = [...ROUTES].sort((a, b) => a[2].length - b[2].length);
    const needed = new Map(rows.map(([method, path, scopes]) => [`${method} ${path}`, scopes]));
    for (const [route, scopes] of needed) expect([route, documented.get(route)]).toEqual([route, scopes]);
  });

  it('left out of a token request is left out of the token [5.5, contract 2]', async () => {
    const { clientId, clientSecret } = await service.createClient('acme');
    const credentials = { client_id: clientId, client_secret: clientSecret, scope: 'records:read' };
    const { body: token } = await service.anonymous.post('/oauth2/token', credentials);
    const api = new ApiClient(service.url, token.access_token);
    expect((await api.get('/contacts')).status).toBe(200);
    const refused = await api.post('/contacts', { fields: { first_name: 'Ada' } });
    expectError(refused, 403, { message: 'This token lacks the scope records:write' });
  });

  it.each([
    ['of a text that names none', 'nope'],
    ['of an empty text', ''],
    ['that is missing', undefined],
    ['of a list', ['records:read']],
    ["beyond the client's", 'manage records:write'],
  ])('%s allows nothing [5.5, contract 2]', async (_, scope) => {
    const { clientId } = await service.createClient('acme', ['dispatch']);
    const { accountId } = await service.account('acme');
    const api = new ApiClient(service.url, forgeToken({ clientId, accountId }, { claims: { scope } }));
    const read = await api.get('/contacts');
    expectError(read, 403, { message: 'This token lacks the scope records:read' });
    const write = await api.post('/contacts', { fields: { first_name: 'Ada' } });
    expectError(write, 403, { message: 'This token lacks the scope records:write' });
  });
});

describe('a client that may no longer act', () => {
  const INVALID = 'Unauthorized: invalid or expired token';

  async function loginAs(slug: string): Promise<{ api: ApiClient; credentials: object; clientId: string }> {
    const { clientId, clientSecret } = await service.createClient(slug);
    const credentials = { client_id: clientId, client_secret: clientSecret };
    const { body: token } = await service.anonymous.post('/oauth2/token', credentials);
    const api = new ApiClient(service.url, token.access_token);
    expect((await api.get('/contacts')).status).toBe(200);
    return { api, credentials, clientId };
  }

  /** Asks until the token is refused, which must happen in time. */
  const expectStops = async (api: ApiClient): Promise<void> => {
    const refused = await waitFor(
      'the token to stop working',
      async () => {
        const response = await api.get('/contacts');
        return response.status === 200 ? undefined : response;
      },
      FELT_WITHIN,
    );
    expectError(refused, 401, { message: INVALID });
    expect(refused.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    const write = await api.post('/contacts', { fields: { first_name: 'Ada' } });
    expectError(write, 401, { message: INVALID });
  };

  it('because it is revoked has its tokens refused within 5 s, and gets no new one [5.3, contract 2]', async () => {
    const revoked = await loginAs('revoking');
    const other = await loginAs('revoking');
    await service.app.get(ApiClientsService, { strict: false }).revoke(revoked.clientId);
    const { status, body: error } = await service.anonymous.post('/oauth2/token', revoked.credentials);
    expect({ status, code: error.error_code }).toEqual({ status: 401, code: 'invalid_client' });
    await expectStops(revoked.api);
    expect((await other.api.get('/contacts')).status).toBe(200);
  });

  it('because its account is suspended has its tokens refused within 5 s [5.3, contract 2, contract 5]', async () => {
    const { api, credentials } = await loginAs('suspending');
    const bystander = await loginAs('bystander');
    await service.apply('accounts: [{ slug: suspending, suspended: true }]');
    expect((await service.anonymous.post('/oauth2/token', credentials)).status).toBe(401);
    await expectStops(api);
    expect((await bystander.api.get('/contacts')).status).toBe(200);

    await service.apply('accounts: [{ slug: suspending, suspended: false }]');
    const { status, body: token } = await service.anonymous.post('/oauth2/token', credentials);
    expect(status).toBe(200);
    await waitFor(
      'a new token to work',
      async () =>
        (await new ApiClient(service.url, token.access_token).get('/contacts')).status === 200 || undefined,
      FELT_WITHIN,
    );
  });

  it('because its secret was replaced gets no token with the old one [contract 2]', async () => {
    const { clientId, clientSecret } = await service.createClient('rotating');
    const rotated = await service.app.get(ApiClientsService, { strict: false }).rotate(clientId);
    const ask = (client_secret: string) =>
      service.anonymous.post('/oauth2/token', { client_id: clientId, client_secret });
    expect((await ask(clientSecret)).status).toBe(401);
    expect((await ask(rotated.clientSecret)).status).toBe(200);
    expect(rotated).toEqual({ clientId, clientSecret: expect.stringMatching(/^[\w-]{43}$/) });
    expect(rotated.clientSecret).not.toBe(clientSecret);
  });
});

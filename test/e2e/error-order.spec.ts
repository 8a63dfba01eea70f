import type { ApiClient } from '../support/api-client.js';
import { expectError, expectInvalid } from '../support/error-object.js';
import { UNKNOWN_ID } from '../support/record-types.js';
import { TestService } from '../support/test-service.js';

let service: TestService;
let api: ApiClient;
/** A client without permission for any of the routes below. */
let other: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  api = await service.login('acme');
  other = await service.login('acme', ['manage']);
});
afterAll(() => service.stop());

const ITEM = `/contacts/${UNKNOWN_ID}`;

/** Returns the expected error for a query of `?x=1&limit=0`, by the parameters that the route takes. */
const takes = (allowed: string): [string, string] => [
  'x',
  allowed === ''
    ? 'Unknown query parameter: x (this route takes none)'
    : `Unknown query parameter: x (allowed: ${allowed})`,
];

/** A route, a body that it refuses, and the error of its query parameter `x`. */
const ROUTES: [method: string, path: string, body: unknown, query: [string, string]][] = [
  ['POST', '/contacts', { nonsense: 1 }, takes('properties')],
  ['POST', '/contacts', [], takes('properties')],
  ['PATCH', ITEM, { fields: { nickname: 1 }, more: 1 }, takes('properties, id_property')],
  ['PATCH', ITEM, undefined, takes('properties, id_property')],
  ['GET', ITEM, undefined, takes('properties, id_property, expand')],
  ['DELETE', ITEM, undefined, takes('id_property')],
  ['GET', `/routers/${UNKNOWN_ID}`, undefined, takes('version, expand')],
  ['GET', `/assignments/${UNKNOWN_ID}`, undefined, takes('')],
  ['POST', '/dispatch/router', { router_id: 7 }, takes('')],
  ['POST', '/dispatch/batch', { object_ids: 'x' }, takes('')],
  ['POST', '/dispatch/simulate', [], takes('')],
];

describe.each(ROUTES)('Of the errors of %s %s with the body %j', (method, path, body, query) => {
  it('that of the token wins [5.2]', async () => {
    const response = await service.anonymous.request(method, `${path}?x=1`, body);
    expectError(response, 401, { message: expect.stringMatching(/^Unauthorized/) });
  });

  it('that of the scope comes next [contract 2]', async () => {
    const response = await other.request(method, `${path}?x=1`, body);
    expectError(response, 403, { message: expect.stringContaining('lacks the scope') });
  });

  it('then those of the query and the body together, the query first [contract 1]', async () => {
    const alone = await api.request(method, path, body);
    const { status, body: error } = await api.request(method, `${path}?x=1`, body);
    const [field, message] = query;
    const others = alone.status === 400 ? alone.body.errors : [];
    expect({ status, errors: error.errors }).toEqual({
      status: 400,
      errors: [{ field, message }, ...others],
    });
    expect(error.message.startsWith(message)).toBe(true);
  });

  it('then those of the body, before it is known what is there [contract 1]', async () => {
    const { status } = await api.request(method, path, body);
    expect(status).toBe(body === undefined && method !== 'PATCH' ? 404 : 400);
  });
});

describe('Of the errors of a body', () => {
  const UNREADABLE = [
    { raw: '{' },
    { raw: 'x', headers: { 'Content-Type': 'text/plain' } },
    { raw: 'x', headers: { 'Content-Encoding': 'br' } },
    { raw: `"${'x'.repeat(2 * 1024 * 1024)}"` },
  ];

  it.each(UNREADABLE)(
    'none is told before the token and the scope are known (%#) [5.2, contract 1]',
    async (sent) => {
      for (const path of ['/contacts', '/dispatch/router']) {
        const response = await service.anonymous.post(path, undefined, sent);
        expectError(response, 401, { message: 'Unauthorized: missing bearer token' });
        expect((await other.post(path, undefined, sent)).status).toBe(403);
      }
    },
  );

  it.each(UNREADABLE)('none is told where there is no route (%#) [contract 1]', async (sent) => {
    expectError(await api.post('/nowhere', undefined, sent), 404, { message: 'Not found' });
    expect((await api.request('PUT', '/contacts', undefined, sent)).status).toBe(405);
  });

  it('its media type comes before its content [contract 1]', async () => {
    const headers = { 'Content-Type': 'text/plain', 'Content-Encoding': 'br' };
    const response = await api.post('/contacts?x=1', undefined, { raw: '{', headers });
    expectError(response, 415, { message: 'The Content-Type must be application/json' });
    const unread = await api.post('/contacts?x=1', undefined, { raw: '{' });
    expectInvalid(unread, [undefined, 'The body is not valid JSON']);
  });

  it('for tokens, those of the query come first [contract 1, contract 2]', async () => {
    const { status, body } = await service.anonymous.post('/oauth2/token?x=1', { grant_type: 7 });
    expect({ status, errors: body.errors }).toEqual({
      status: 400,
      errors: [
        { field: 'x', message: 'Unknown query parameter: x (this route takes none)' },
        { field: 'grant_type', message: 'grant_type must be a string, sent once' },
        { field: 'client_id', message: 'client_id is required' },
        { field: 'client_secret', message: 'client_secret is required' },
      ],
    });
  });
});

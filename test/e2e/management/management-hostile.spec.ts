import type { ApiClient } from '../../support/api-client.js';
import { expectSomeError } from '../../support/error-object.js';
import { rawRequest } from '../../support/raw-request.js';
import { TestService } from '../../support/test-service.js';

// Texts that PostgreSQL cannot store, and bodies that are no objects, at every key of every management body.

let service: TestService;
let admin: ApiClient;
const ids: Record<string, string> = {};

const CREATED: Readonly<Record<string, object>> = {
  users: { email: 'bob@acme.test' },
  teams: { name: 'Sales' },
  fields: { object_type: 'contacts', internal_name: 'tier', type: 'enumeration', options: [{ internal_name: 'a' }] },
  capacities: { name: 'Leads', object_type: 'contacts', field: 'city', values: ['x'] },
  clients: { name: 'Zap' },
  routers: { name: 'Inbound', object_type: 'contacts', users: [{ email: 'bob@acme.test' }] },
}; // prettier-ignore

beforeAll(async () => {
  service = await TestService.shared();
  await service.apply('accounts: [{ slug: acme }]');
  admin = await service.login('acme', ['manage', 'records:read', 'routers:read']);
  for (const [path, body] of Object.entries(CREATED))
    ids[path] = (await admin.post(`/${path}`, body)).body.id;
});
afterAll(() => service.stop());

/** Bodies with a text at one place, by route. */
const PLACES: readonly (readonly [method: string, path: string, body: (text: string) => object])[] = [
  ['POST', '/users', (email) => ({ email })],
  ['PATCH', '/users/{id}', (email) => ({ email })],
  ['PATCH', '/users/{id}', (name) => ({ name })],
  ['PATCH', '/users/{id}', (timezone) => ({ timezone })],
  ['PATCH', '/users/{id}', (day) => ({ holidays: [day] })],
  ['PATCH', '/users/{id}', (from) => ({ out_of_office: [{ from, to: from }] })],
  ['PATCH', '/users/{id}', (text) => ({ working_hours: [{ days: [text], start: text, end: text }] })],
  ['PATCH', '/users/{id}', (window) => ({ limits: { window } })],
  ['POST', '/teams', (name) => ({ name })],
  ['POST', '/teams', (member) => ({ name: 'Other', members: [member] })],
  ['PATCH', '/teams/{id}', (member) => ({ members: [member] })],
  ['POST', '/fields', (internal_name) => ({ object_type: 'contacts', internal_name, type: 'string' })],
  ['POST', '/fields', (type) => ({ object_type: 'contacts', internal_name: 'other', type })],
  ['PATCH', '/fields/{id}', (internal_name) => ({ internal_name })],
  ['PATCH', '/fields/{id}', (label) => ({ label })],
  ['PATCH', '/fields/{id}', (text) => ({ options: [{ internal_name: text, label: text }] })],
  ['POST', '/capacities', (field) => ({ ...CREATED['capacities'], name: 'Other', field })],
  ['PATCH', '/capacities/{id}', (value) => ({ values: [value] })],
  ['PATCH', '/capacities/{id}', (email) => ({ users: [{ email, max: 1 }] })],
  ['PATCH', '/capacities/{id}', (name) => ({ teams: [{ name, max: 1 }] })],
  ['POST', '/clients', (name) => ({ name })],
  ['PATCH', '/clients/{id}', (scope) => ({ scope })],
  ['PATCH', '/routers/{id}', (email) => ({ users: [{ email }] })],
  ['PATCH', '/routers/{id}', (name) => ({ teams: [{ name }] })],
  ['PATCH', '/routers/{id}', (text) => ({ settings: { default_user: text, owner_field: text } })],
  ['PATCH', '/routers/{id}', (text) => ({ settings: { rules: [{ name: text, users: [{ email: text }] }] } })],
  ['PATCH', '/routers/{id}', (text) => ({
    settings: { trigger: { groups: [{ conditions: [{ field: text, operator: text, value: text }] }] } },
  })],
  ['POST', '/routers/{id}/publish', (note) => ({ note })],
]; // prettier-ignore

const routeOf = (path: string): string => path.replace('{id}', ids[path.split('/')[1] ?? ''] ?? '');

describe('A text that cannot be stored', () => {
  it.each(['\u0000', 'a\u0000@acme.test', '\uD800', '\uD800@acme.test'])(
    '%j is refused at every key of every body [1, contract 6]',
    async (text) => {
      for (const [method, path, bodyOf] of PLACES) {
        expectSomeError(await admin.request(method, routeOf(path), bodyOf(text)), 400);
      }
    },
  );

  it('is repeated only as far as a person reads, where it names nothing [contract 1]', async () => {
    for (const [method, path, bodyOf] of PLACES) {
      const { status, body } = await admin.request(method, routeOf(path), bodyOf('x'.repeat(100_000)));
      expect([method, path, status]).toEqual([method, path, 400]);
      expect(JSON.stringify(body).length).toBeLessThan(3_000);
    }
  });

  it.each(['object=%00', 'by=%00', 'after=%00', 'from=%00'])(
    'is refused in the query of the audit: %s [contract 6]',
    async (query) => expectSomeError(await admin.get(`/audit?${query}`), 400),
  );
});

describe('A body that is no object, or no object of its route', () => {
  const BODIES = ['null', '[]', '[{}]', '"x"', '1', 'true', '{"a":1e400}', '{"constructor":1}', '{"__proto__":{"name":"x"}}'];

  it.each(BODIES)('%s is refused by every management route [1, contract 6]', async (body) => {
    for (const path of Object.keys(CREATED)) {
      const routes = [['POST', `/${path}`], ['PATCH', `/${path}/${ids[path]!}`]] as const;
      for (const [method, route] of routes) {
        expectSomeError(await admin.request(method, route, undefined, { raw: body }), 400);
      }
    }
    for (const action of ['publish', 'rollback', 'unpublish']) {
      const route = `/routers/${ids['routers']!}/${action}`;
      expectSomeError(await admin.request('POST', route, undefined, { raw: body }), 400);
    }
  });

  it('is refused where it nests deeper than a body may, or has more values [contract 1]', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const deep = `{"settings":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`;
    const wide = `{"members":[${Array(60_000).fill('"x"').join(',')}]}`;
    for (const [path, body] of [['routers', deep], ['teams', wide]] as const) {
      const route = `/${path}/${ids[path]!}`;
      expectSomeError(await rawRequest(admin, 'PATCH', route, { headers, body }), 400);
    }
  });
}); // prettier-ignore

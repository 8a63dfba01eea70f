import type { ApiClient, ApiResponse } from '../../support/api-client.js';
import { UNKNOWN_ID } from '../../support/record-types.js';
import { TestService } from '../../support/test-service.js';

// What another account has does not exist: its ids answer as ids of nobody, its names are unknown names.

let service: TestService;
let acme: ApiClient;
let globex: ApiClient;
/** Of what globex has, by the first part of the path. */
const theirs: Record<string, string> = {};

const FILE = `
accounts:
  - { slug: acme, users: [{ email: ada@acme.test }] }
  - slug: globex
    users: [{ email: eve@globex.test }]
    teams: [{ name: Night, members: [eve@globex.test] }]
    fields: [{ object_type: contacts, internal_name: secret_score, type: number }]
    capacities: [{ name: Night, object_type: contacts, field: city, values: [Paris] }]
    routers: [{ name: Night, object_type: contacts, published: true, settings: { overwrite: true }, users: [{ email: eve@globex.test }] }]
`;
const KINDS = ['users', 'teams', 'fields', 'capacities', 'clients', 'routers'];

beforeAll(async () => {
  service = await TestService.shared();
  await service.apply(FILE);
  [acme, globex] = await Promise.all(
    ['acme', 'globex'].map((slug) => service.login(slug, ['manage', 'routers:read', 'dispatch', 'records:read'])),
  ) as [ApiClient, ApiClient]; // prettier-ignore
  for (const kind of KINDS) theirs[kind] = (await globex.get(`/${kind}`)).body.data[0].id;
});
afterAll(() => service.stop());

/** An answer without what differs between any two: the id that was asked for, and the id of the request. */
function shape({ status, body }: ApiResponse, id: string): unknown {
  return [status, JSON.stringify({ ...body, request_id: undefined }).replaceAll(id, '{id}')];
}

/** A request with `{id}` in its path, and its body. */
type Route = readonly [method: string, path: string, body: object | undefined];

const SENT: readonly (readonly [method: string, path: string, body?: object])[] = [
  ...KINDS.flatMap((kind) => [
    ['GET', `/${kind}/{id}`] as const,
    ['PATCH', `/${kind}/{id}`, {}] as const,
    ['PATCH', `/${kind}/{id}`, { nothing: 1 }] as const,
    ['DELETE', `/${kind}/{id}`] as const,
  ]),
  ['DELETE', '/users/{id}?orphan=true'],
  ['PATCH', '/users/{id}', { available: false }],
  ['PATCH', '/users/{id}', { email: 'eve@globex.test' }],
  ['POST', '/clients/{id}/rotate', {}],
  ['POST', '/clients/{id}/rotate', { overlap_seconds: -1 }],
  ['GET', '/routers/{id}/versions'],
  ['GET', '/routers/{id}/versions/1'],
  ['GET', '/routers/{id}?version=1'],
  ['GET', '/routers/{id}?version=draft'],
  ['DELETE', '/routers/{id}/draft'],
  ['POST', '/routers/{id}/publish', { note: 'mine' }],
  ['POST', '/routers/{id}/publish', { note: 1 }],
  ['POST', '/routers/{id}/unpublish'],
  ['POST', '/routers/{id}/rollback', { version: 1 }],
  ['POST', '/routers/{id}/rollback', {}],
  ['GET', '/audit?object={id}'],
  ['GET', '/audit?by={id}'],
];

const ROUTES = SENT.map(([method, path, body]): Route => [method, path, body]);

describe('An id of another account', () => {
  it.each(ROUTES)('answers as an id of nobody: %s %s %j [1, 5.3, contract 1]', async (method, path, body) => {
    const kind = /^\/(\w+)/.exec(path)?.[1] ?? '';
    const ids = [theirs[path.includes('by=') ? 'clients' : kind] ?? theirs['routers']!, UNKNOWN_ID];
    const [foreign, missing] = await Promise.all(
      ids.map(async (id) => shape(await acme.request(method, path.replace('{id}', id), body), id)),
    );
    expect(foreign).toEqual(missing);
    expect(JSON.stringify(foreign)).not.toMatch(/globex|Night/);
  });
});

const USED: readonly (readonly [kind: 'user' | 'team' | 'field', path: string, body: (name: string) => object])[] = [
  ['user', '/teams', (name) => ({ name: 'T', members: [name] })],
  ['user', '/routers', (email) => ({ name: 'R', object_type: 'contacts', users: [{ email }] })],
  ['user', '/routers', (default_user) => ({ name: 'R', object_type: 'contacts', settings: { default_user } })],
  ['user', '/routers', (email) => ({ name: 'R', object_type: 'contacts', settings: { rules: [{ name: 'A', users: [{ email }] }] } })],
  ['user', '/routers', (value) => ({ name: 'R', object_type: 'contacts', settings: { trigger: { groups: [{ conditions: [{ field: 'contact_owner', operator: 'eq', value }] }] } } })],
  ['user', '/capacities', (email) => ({ name: 'C', object_type: 'contacts', field: 'city', values: ['x'], users: [{ email, max: 1 }] })],
  ['user', '/capacities', (value) => ({ name: 'C', object_type: 'contacts', field: 'contact_owner', values: [value] })],
  ['team', '/routers', (name) => ({ name: 'R', object_type: 'contacts', teams: [{ name }] })],
  ['team', '/routers', (name) => ({ name: 'R', object_type: 'contacts', settings: { rules: [{ name: 'A', teams: [{ name }] }] } })],
  ['team', '/capacities', (name) => ({ name: 'C', object_type: 'contacts', field: 'city', values: ['x'], teams: [{ name, max: 1 }] })],
  ['field', '/routers', (owner_field) => ({ name: 'R', object_type: 'contacts', settings: { owner_field } })],
  ['field', '/routers', (field) => ({ name: 'R', object_type: 'contacts', settings: { trigger: { groups: [{ conditions: [{ field, operator: 'eq', value: 1 }] }] } } })],
  ['field', '/capacities', (field) => ({ name: 'C', object_type: 'contacts', field, values: ['x'] })],
]; // prettier-ignore

describe('A name of another account in a body', () => {
  const NAMES = {
    user: ['eve@globex.test', 'nobody@globex.test'],
    team: ['Night', 'Nobody'],
    field: ['secret_score', 'no_such_field'],
  };

  it.each(USED)(
    'of a %s is an unknown name: POST %s, place %# [1, 5.3, contract 6]',
    async (kind, path, bodyOf) => {
      const [foreign, missing] = await Promise.all(
        NAMES[kind].map(async (name) => shape(await acme.post(path, bodyOf(name)), name)),
      );
      expect(foreign).toEqual(missing);
      expect(foreign).toEqual([400, expect.any(String)]);
    },
  );
});

describe('The audit of another account', () => {
  it('is not seen, behind a cursor of it either [5.3, contract 6]', async () => {
    const { body } = await globex.get('/audit?limit=1');
    expect(body.data).toHaveLength(1);
    const pages = await Promise.all(
      ['limit=100', `limit=100&after=${body.pagination.next}`, 'limit=100&object=user'].map((query) =>
        acme.get(`/audit?${query}`),
      ),
    );
    for (const page of pages) expect(JSON.stringify(page.body)).not.toMatch(/globex|Night|eve@/);
    expect(pages[0]!.body.data.length).toBeGreaterThan(0);
  });
});

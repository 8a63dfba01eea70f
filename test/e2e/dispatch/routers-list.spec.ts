import { ApiClient } from '../../support/api-client.js';
import { expectError, expectInvalid } from '../../support/error-object.js';
import { people, router, RoutingAccount } from '../../support/routing-account.js';
import { sql } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

/** In the order of their creation, which is neither that of the alphabet nor of a sort by type. */
const NAMES = ['N', 'B', 'K', 'A', 'M', 'C', 'L', 'D', 'J', 'E', 'I', 'F'];
const ARCHIVED = ['K', 'D'];
const ACTIVE = NAMES.filter((name) => !ARCHIVED.includes(name));

let service: TestService;
let account: RoutingAccount;
let api: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  const types = ['tickets', 'contacts', 'deals'];
  account = await RoutingAccount.open(service, {
    users: people(['ada']),
    routers: NAMES.map((name, index) =>
      router(name, index % 2 === 0 ? {} : null, {
        object_type: types[index % 3],
        published: index % 2 === 0,
        users: people(['ada']),
      }),
    ),
  });
  for (const name of ARCHIVED) {
    const id = await account.routerId(name);
    await sql(service, `UPDATE routers SET archived_at = now(), archived_by = 'somebody' WHERE id = $1`, [
      id,
    ]);
  }
  await RoutingAccount.open(service, { routers: [router('Theirs', {})] });
  api = account.api;
});
afterAll(() => service.stop());

const list = async (query = ''): Promise<{ names: string[]; pagination: unknown }> => {
  const { status, body } = await api.get(`/routers${query}`);
  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual(['data', 'pagination']);
  return { names: body.data.map(({ name }: { name: string }) => name), pagination: body.pagination };
};

describe('GET /routers', () => {
  it('lists the account’s routers in creation order, ten unless asked for more [4, 4.5, 8, contract 3, contract 4]', async () => {
    expect(await list()).toEqual({
      names: ACTIVE,
      pagination: { limit: 10, offset: 0, count: ACTIVE.length, next: null },
    });
    expect(ACTIVE).toHaveLength(10);
  });

  it('has at most ten rows without a limit [4.5, 8, contract 4]', async () => {
    expect(await list('?archived=true')).toEqual({
      names: NAMES.slice(0, 10),
      pagination: { limit: 10, offset: 0, count: 12, next: expect.any(String) },
    });
  });

  it.each([
    ['?limit=1', [0, 1], { limit: 1, offset: 0 }],
    ['?limit=3&offset=4', [4, 7], { limit: 3, offset: 4 }],
    ['?limit=100', [0, 10], { limit: 100, offset: 0 }],
    ['?offset=9', [9, 10], { limit: 10, offset: 9 }],
    ['?offset=10', [10, 10], { limit: 10, offset: 10 }],
    ['?offset=9007199254740991', [10, 10], { limit: 10, offset: 9_007_199_254_740_991 }],
    ['?archived=false', [0, 10], { limit: 10, offset: 0 }],
  ])('pages: %s [4.5, contract 3, contract 4]', async (query, [from, to], page) => {
    const next = to! < ACTIVE.length ? expect.any(String) : null;
    expect(await list(query)).toEqual({
      names: ACTIVE.slice(from, to),
      pagination: { ...page, count: 10, next },
    });
  });

  it('includes archived routers when asked, in the same order [4.5, contract 4]', async () => {
    const { body } = await api.get('/routers?archived=true&limit=100');
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(NAMES);
    expect(body.pagination).toEqual({ limit: 100, offset: 0, count: 12, next: null });
    for (const { name, archived, ...rest } of body.data) {
      const isArchived = ARCHIVED.includes(name);
      expect(archived).toEqual(isArchived ? expect.stringMatching(/Z$/) : false);
      expect('archived_by' in rest).toBe(isArchived);
    }
  });

  it('shows each router as it is, with or without settings, published or not [2.10, 4.5, contract 4]', async () => {
    const { body } = await api.get('/routers?limit=2');
    expect(body.data).toMatchObject([
      { name: 'N', object_type: 'tickets', is_published: true, settings: { owner_field: 'ticket_owner' } },
      { name: 'B', object_type: 'contacts', is_published: false, settings: null },
    ]);
    for (const item of body.data) {
      expect(Object.keys(item).sort()).toEqual([
        'archived',
        'created_at',
        'has_integration',
        'id',
        'is_published',
        'name',
        'object_type',
        'settings',
        'teams',
        'updated_at',
        'users',
      ]);
      expect(item).toMatchObject({ has_integration: false, users: [{ email: 'ada@acme.test' }], teams: [] });
    }
  });

  it('is empty for an account without routers [4.5, contract 4]', async () => {
    const fresh = await service.login('fresh');
    const { status, body } = await fresh.get('/routers');
    expect({ status, body }).toEqual({
      status: 200,
      body: { data: [], pagination: { limit: 10, offset: 0, count: 0, next: null } },
    });
  });

  it('shows another account only its own [1, 4.5, 5.3]', async () => {
    const theirs = await RoutingAccount.open(service, { routers: [router('Own', {})] });
    const { body } = await theirs.api.get('/routers?archived=true&limit=100');
    expect(body).toMatchObject({ data: [{ name: 'Own' }], pagination: { count: 1 } });
  });
});

describe('GET /routers refuses', () => {
  const rule = 'limit must be an integer from 1 to 100';
  const offsetRule = 'offset must be an integer of 0 or more';

  it.each([
    ['limit=0', 'limit', rule],
    ['limit=101', 'limit', rule],
    ['limit=-1', 'limit', rule],
    ['limit=1.5', 'limit', rule],
    ['limit=', 'limit', rule],
    ['limit=ten', 'limit', rule],
    ['limit=1e1', 'limit', rule],
    ['limit=1&limit=2', 'limit', 'limit must be sent once'],
    ['offset=-1', 'offset', offsetRule],
    ['offset=x', 'offset', offsetRule],
    ['offset=9007199254740992', 'offset', offsetRule],
    ['archived=1', 'archived', 'archived must be true or false'],
    ['archived=TRUE', 'archived', 'archived must be true or false'],
    ['archived=', 'archived', 'archived must be true or false'],
    [
      'properties=name',
      'properties',
      'Unknown query parameter: properties (allowed: limit, offset, after, archived, q, id, object_type, user, brief, expand)',
    ],
    [
      'page=2',
      'page',
      'Unknown query parameter: page (allowed: limit, offset, after, archived, q, id, object_type, user, brief, expand)',
    ],
    [
      'limit[]=5',
      'limit[]',
      'Unknown query parameter: limit[] (allowed: limit, offset, after, archived, q, id, object_type, user, brief, expand)',
    ],
    [
      '__proto__=1',
      '__proto__',
      'Unknown query parameter: __proto__ (allowed: limit, offset, after, archived, q, id, object_type, user, brief, expand)',
    ],
  ])('%s [4.5, 4.7, 7, 8, contract 1, contract 3]', async (query, field, message) => {
    expectInvalid(await api.get(`/routers?${query}`), [field, message]);
  });

  it('all that is wrong at once [contract 1]', async () => {
    expectInvalid(
      await api.get('/routers?limit=0&offset=-1&archived=x&sort=name'),
      [
        'sort',
        'Unknown query parameter: sort (allowed: limit, offset, after, archived, q, id, object_type, user, brief, expand)',
      ],
      ['limit', rule],
      ['offset', offsetRule],
      ['archived', 'archived must be true or false'],
    );
  });

  it('a token without the scope routers:read [4.5, 5.2, contract 2]', async () => {
    const lacking = await service.login(account.slug, [
      'records:read',
      'records:write',
      'dispatch',
      'manage',
    ]);
    const response = await lacking.get('/routers');
    expectError(response, 403, { message: 'This token lacks the scope routers:read' });
    expect(response.headers.get('www-authenticate')).toContain('routers:read');
    const reader = await service.login(account.slug, ['routers:read']);
    expect((await reader.get('/routers')).status).toBe(200);
  });

  it('a request without a token [4, 5.2, 7]', async () => {
    const message = 'Unauthorized: missing bearer token';
    expectError(await service.anonymous.get('/routers'), 401, { message });
  });
});

describe('after, of GET /routers', () => {
  /** Reads the list page by page. @returns the names on each page */
  async function follow(client: ApiClient, query: string): Promise<string[][]> {
    const pages: string[][] = [];
    let after = '';
    do {
      const { status, body } = await client.get(`/routers?${query}${after}`);
      expect(status).toBe(200);
      expect(JSON.stringify(body).length).toBeLessThanOrEqual(10 * 1024 * 1024);
      pages.push(body.data.map(({ name }: { name: string }) => name));
      after = body.pagination.next === null ? '' : `&after=${body.pagination.next}`;
    } while (after !== '');
    return pages;
  }

  it.each([1, 3, 5, 9])('joins pages of %d to the whole [4.5, contract 3]', async (limit) => {
    const pages = await follow(api, `limit=${limit}`);
    expect(pages.flat()).toEqual(ACTIVE);
    expect(pages).toHaveLength(Math.ceil(ACTIVE.length / limit));
    expect((await follow(api, `archived=true&limit=${limit}`)).flat()).toEqual(NAMES);
  });

  it('is refused where it is none, or with an offset, and named [contract 1, contract 3]', async () => {
    expectInvalid(await api.get('/routers?after=x'), [
      'after',
      'after must be the next of another page of this list',
    ]);
    const { next } = (await api.get('/routers?limit=1')).body.pagination;
    expectInvalid(await api.get(`/routers?after=${next}&offset=1`), [
      'after',
      'after cannot be sent together with an offset',
    ]);
  });

  it('follows pages that end early, where they would exceed 10 MiB [4.5, contract 3]', async () => {
    const emails = Array.from({ length: 20 }, (_, index) => `u${index}`);
    const names = Array.from({ length: 30 }, (_, index) => `Large ${index}`);
    const large = await RoutingAccount.open(service, {
      users: people(emails),
      routers: names.map((name) => router(name, {}, { users: people(emails) })),
    });
    const [first] = (await large.api.get('/routers?limit=1')).body.data;
    const ids = first.users.map(({ id }: { id: string }) => id);
    await sql(service, `UPDATE users SET name = repeat('x', 25000) WHERE id = ANY ($1::uuid[])`, [ids]);
    // Names that no write allows, and so not the OpenAPI document either.
    const api = new ApiClient(large.api.baseUrl, large.api.token, false);
    const pages = await follow(api, 'limit=100');
    expect(pages.flat()).toEqual(names);
    expect(pages.map(({ length }) => length)).toEqual([20, 10]);
  });
});

// A second service on the database of the first.
import type { ApiClient, ApiResponse } from '../../support/api-client.js';
import { expectInvalid } from '../../support/error-object.js';
import { RECORD_TYPES, USERS } from '../../support/record-types.js';
import { follow, is, rows, where } from '../../support/search-pages.js';
import { sql } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let api: ApiClient;

const CONFIGURATION = `accounts:
  - slug: acme
    ${USERS}
    fields:
      - { object_type: contacts, internal_name: score, type: number }
      - { object_type: contacts, internal_name: vip, type: bool }
      - { object_type: contacts, internal_name: seen, type: datetime }
      - object_type: contacts
        internal_name: size
        type: enumeration
        options: [{ internal_name: small }, { internal_name: medium }, { internal_name: large }]
`;

beforeAll(async () => {
  service = await TestService.shared();
  await service.apply(CONFIGURATION);
  api = await service.login('acme');
});
afterAll(() => service.stop());

describe.each(RECORD_TYPES)('POST /$type/search', ({ type, minimal, text, owner, key }) => {
  let all: any[];

  beforeAll(async () => {
    for (let index = 0; index < 5; index++) {
      const fields = { ...minimal, [text]: index < 3 ? 'Purple' : 'Green', external_id: `EXT-${index}` };
      const { body } = await api.post(`/${type}`, {
        fields: index === 1 ? { ...fields, [owner]: 'ada@acme.test' } : fields,
      });
      if (index === 4) await api.delete(`/${type}/${body.id}`);
    }
    all = (await api.get(`/${type}?limit=100&archived=true`)).body.data;
  });

  it('finds the active records that a filter matches, as lists show them [2.2, contract 7]', async () => {
    const { status, body } = await api.post(`/${type}/search`, { filter: where(is(text, 'eq', 'PURPLE ')) });
    expect(status).toBe(200);
    expect(body).toEqual({ data: all.slice(0, 3), pagination: { limit: 10, next: null } });
    const green = await api.post(`/${type}/search`, { filter: where(is(text, 'eq', 'green')) });
    expect(green.body.data).toEqual(all.slice(3, 4));
  });

  it('finds all without a filter, archived ones where they are asked for, and counts them [contract 7]', async () => {
    const active = await api.post(`/${type}/search`, { count: true });
    expect(active.body).toEqual({ data: all.slice(0, 4), pagination: { limit: 10, next: null, count: 4 } });
    const both = await api.post(`/${type}/search`, { archived: true, count: true, limit: 2 });
    expect(both.body.data).toEqual(all.slice(0, 2));
    expect(both.body.pagination).toEqual({ limit: 2, next: expect.any(String), count: 5 });
    const gone = await api.post(`/${type}/search`, {
      archived: true,
      filter: where(is('external_id', 'eq', 'EXT-4')),
    });
    expect(gone.body.data).toEqual([all[4]]);
  });

  it('finds by the keys, the owner and the time of the change [contract 7]', async () => {
    const ids = async (...conditions: readonly object[]): Promise<string[]> =>
      (await api.post(`/${type}/search`, { filter: where(...conditions) })).body.data.map(
        ({ id }: any) => id,
      );
    expect(await ids(is('external_id', 'eq', 'ext-2'))).toEqual([all[2].id]);
    expect(await ids(is('external_id', 'in', ['EXT-0', 'ext-3', 'none']))).toEqual([all[0].id, all[3].id]);
    expect(await ids(is(owner, 'eq', 'ADA@acme.test'))).toEqual([all[1].id]);
    expect(await ids(is(owner, 'is_empty'), is('external_id', 'neq', 'EXT-0'))).toEqual([
      all[2].id,
      all[3].id,
    ]);
    expect(await ids(is('last_modified_date', 'eq', all[2].updated_at))).toContain(all[2].id);
    expect(await ids(is('updated_at', 'eq', all[2].updated_at))).toContain(all[2].id);
    expect(await ids(is('create_date', 'gt', all[3].created_at))).toEqual([]);
    expect(await ids(is('created_at', 'gt', all[3].created_at))).toEqual([]);
    if (key !== null) expect(await ids(is(key, 'is_not_empty'))).toEqual([]);
  });

  it('shows the properties that are named [2.3, contract 7]', async () => {
    const asked = { filter: where(is(text, 'eq', 'purple')), properties: [text, 'create_date'] };
    const { body } = await api.post(`/${type}/search`, asked);
    expect(body.data).toEqual(
      all.slice(0, 3).map((each) => ({ ...each, [text]: 'Purple', create_date: each.created_at })),
    );
  });

  it('sees every write that was answered before [contract 7]', async () => {
    const search = async (value: string): Promise<number> =>
      (await api.post(`/${type}/search`, { filter: where(is(text, 'eq', value)) })).body.data.length;
    const { body } = await api.post(`/${type}`, { fields: { ...minimal, [text]: 'Written' } });
    expect(await search('written')).toBe(1);
    await api.patch(`/${type}/${body.id}`, { fields: { [text]: 'Changed' } });
    expect([await search('written'), await search('changed')]).toEqual([0, 1]);
    await api.delete(`/${type}/${body.id}`);
    expect(await search('changed')).toBe(0);
  });

  it('finds nothing of another account [contract 1, contract 7]', async () => {
    const other = await service.login('other');
    const filters = [undefined, where(is(text, 'eq', 'purple')), where(is('external_id', 'eq', 'EXT-0'))];
    for (const filter of filters) {
      const { body } = await other.post(`/${type}/search`, { filter, count: true, archived: true });
      expect(body).toEqual({ data: [], pagination: { limit: 10, next: null, count: 0 } });
    }
  });
});

describe('The order of a search', () => {
  const CONTACTS: readonly Record<string, unknown>[] = [
    { first_name: 'émile', score: 10, size: 'large', vip: true, seen: '2026-01-02' },
    { first_name: 'Zoe', score: 9, size: 'small', vip: false, seen: '2025-01-02' },
    { first_name: 'adam', score: '-2.5', size: 'medium', seen: '2026-01-01T10:00:00+02:00' },
    { first_name: 'Frank', size: 'small', vip: true },
    { first_name: 'Adam', score: '9007199254740993', seen: '2026-01-01' },
    { first_name: 'Иван', score: '9007199254740992', size: 'large' },
    { last_name: 'Nobody' },
  ];
  let client: ApiClient;

  beforeAll(async () => {
    await service.apply(CONFIGURATION.replaceAll('acme', 'order'));
    client = await service.login('order');
    for (const fields of CONTACTS) expect((await client.post('/contacts', { fields })).status).toBe(201);
  });

  it('may be of fields of any two types [contract 7]', async () => {
    const fields = ['first_name', 'score', 'size', 'vip', 'seen', 'contact_owner', 'company', 'archived'];
    const others = ['id', 'created_at', 'contact_owner_assigned_date', 'external_id'];
    const all = [...fields, ...others];
    const pairs = all.flatMap((one, index) => all.slice(index + 1).map((other) => [one, `-${other}`]));
    for (const sort of pairs) {
      const found = rows(await follow(client, '/contacts/search', { sort, limit: 4, archived: true }));
      expect([sort, new Set(found.map(({ id }) => id)).size]).toEqual([sort, CONTACTS.length]);
    }
  });

  const properties = ['first_name', 'score', 'size', 'vip', 'seen'];
  const named = async (sort: readonly string[], limit = 100): Promise<unknown[]> =>
    rows(await follow(client, '/contacts/search', { sort, limit, properties })).map(
      (each) => each.first_name,
    );

  it.each([
    [['first_name'], ['adam', 'Adam', 'émile', 'Frank', 'Zoe', 'Иван', null]],
    [['-first_name'], ['Иван', 'Zoe', 'Frank', 'émile', 'adam', 'Adam', null]],
    [['score'], ['adam', 'Zoe', 'émile', 'Иван', 'Adam', 'Frank', null]],
    [['-score'], ['Adam', 'Иван', 'émile', 'Zoe', 'adam', 'Frank', null]],
    [
      ['size', '-first_name'],
      ['Zoe', 'Frank', 'adam', 'Иван', 'émile', 'Adam', null],
    ],
    [
      ['-size', 'first_name'],
      ['émile', 'Иван', 'adam', 'Frank', 'Zoe', 'Adam', null],
    ],
    [
      ['vip', 'size', 'first_name'],
      ['Zoe', 'Frank', 'émile', 'adam', 'Иван', 'Adam', null],
    ],
    [['seen'], ['Zoe', 'Adam', 'adam', 'émile', 'Frank', 'Иван', null]],
    [['create_date'], ['émile', 'Zoe', 'adam', 'Frank', 'Adam', 'Иван', null]],
    [['-create_date'], [null, 'Иван', 'Adam', 'Frank', 'adam', 'Zoe', 'émile']],
    [
      ['-created_at', 'first_name'],
      [null, 'Иван', 'Adam', 'Frank', 'adam', 'Zoe', 'émile'],
    ],
    [['last_modified_date'], ['émile', 'Zoe', 'adam', 'Frank', 'Adam', 'Иван', null]],
    [['-last_modified_date'], [null, 'Иван', 'Adam', 'Frank', 'adam', 'Zoe', 'émile']],
    [
      ['seen', 'first_name'],
      ['Zoe', 'Adam', 'adam', 'émile', 'Frank', 'Иван', null],
    ],
  ])(
    'by %j is typed, with what is empty at the end, whatever the size of pages [contract 7]',
    async (sort, names) => {
      expect(await named(sort)).toEqual(names);
      for (const limit of [1, 2, 3]) expect(await named(sort, limit)).toEqual(names);
    },
  );

  it('of a page is not lost when records change and come [contract 7]', async () => {
    const first = (await client.post('/contacts/search', { sort: ['-score'], limit: 3 })).body;
    const { body: added } = await client.post('/contacts', { fields: { first_name: 'Late', score: 1 } });
    await client.delete(`/contacts/${first.data[2].id}`);
    const rest = await client.post('/contacts/search', { sort: ['-score'], after: first.pagination.next });
    expect(rest.body.data.map((each: any) => each.first_name)).toEqual([
      'Zoe',
      'Late',
      'adam',
      'Frank',
      null,
    ]);
    await client.delete(`/contacts/${added.id}`);
  });

  it('has cursors of its own: that of another order is refused, and named [contract 7]', async () => {
    const { next } = (await client.post('/contacts/search', { sort: ['score'], limit: 1 })).body.pagination;
    const listed = (await client.get('/contacts?limit=1')).body.pagination.next;
    const message = 'after must be the next of another page of this search';
    const bad = [
      { after: next },
      { after: next, sort: ['-score'] },
      { after: next, sort: ['score', 'first_name'] },
      { after: listed },
      { after: `${next}A`, sort: ['score'] },
      { after: 'x', sort: ['score'] },
      { after: '', sort: ['score'] },
      { after: 5, sort: ['score'] },
      { after: Buffer.from('["contacts,score","1e9","x"]').toString('base64url'), sort: ['score'] },
      { after: Buffer.from('["contacts,score","ten",null]').toString('base64url'), sort: ['score'] },
    ];
    for (const body of bad) expectInvalid(await client.post('/contacts/search', body), ['after', message]);
    const deals = await client.post('/deals/search', { after: next });
    expectInvalid(deals, ['after', message]);
  });
});

it('A search sees what another process has answered before [contract 7]', async () => {
  const other = await TestService.start({ database: service.database });
  try {
    const client = await other.login('acme', ['records:read', 'manage']);
    for (let index = 0; index < 20; index++) {
      const { body } = await api.post('/contacts', { fields: { first_name: 'Seen', city: `City ${index}` } });
      const found = await client.post('/contacts/search', {
        filter: where(is('city', 'eq', `city ${index}`)),
      });
      expect(found.body.data).toEqual([body]);
    }
    const field = { object_type: 'contacts', internal_name: 'hue', label: 'Hue', type: 'string' };
    expect((await client.post('/fields', field)).status).toBe(201);
    await api.post('/contacts', { fields: { first_name: 'Hued', hue: 'red' } });
    const hued = await client.post('/contacts/search', {
      filter: where(is('hue', 'eq', 'red')),
      sort: ['hue'],
    });
    expect(hued.body.data).toMatchObject([{ first_name: 'Hued' }]);
  } finally {
    await other.stop();
  }
});

describe('A search that is wrong', () => {
  const search = (body: unknown): Promise<ApiResponse> => api.post('/contacts/search', body);

  it('is refused with all that is wrong with it [contract 1, contract 7]', async () => {
    const answer = await search({
      filter: {
        groups: [
          {
            conditions: [
              is('nope', 'eq', 1),
              is('score', 'is', 1),
              is('score', 'eq', 'ten'),
              is('score', 'contains', 'x'),
            ],
          },
          { conditions: [{ field: 'vip' }, 5], more: 1 },
        ],
      },
      sort: ['first_name', '-first_name', '-nope'],
      properties: ['phone', 'nope'],
      limit: 0,
      archived: 'yes',
      count: 1,
      after: 5,
      offset: 3,
    });
    expectInvalid(
      answer,
      ['offset', /Unknown key/],
      ['archived', 'archived must be true or false'],
      ['limit', 'limit must be an integer from 1 to 100'],
      ['after', /^after must be/],
      ['count', 'count must be true or false'],
      ['properties', 'Invalid property: nope'],
      ['filter.groups[0].conditions[0].field', /^Unknown field of contacts: nope/],
      ['filter.groups[0].conditions[1].operator', /^Unknown operator: is/],
      ['filter.groups[0].conditions[2].value', /finite number/],
      ['filter.groups[0].conditions[3].operator', /compares text/],
      ['filter.groups[1].more', /Unknown key/],
      ['filter.groups[1].conditions[0].operator', /must be a string/],
      ['filter.groups[1].conditions[1]', /must be an object/],
      ['sort[1]', 'sort must not name one twice'],
      ['sort[2]', 'Unknown field of contacts: nope'],
    );
  });

  it.each([
    [{ filter: null }, 'filter', /must be an object/],
    [{ filter: [] }, 'filter', /must be an object/],
    [{ filter: { groups: {} } }, 'filter.groups', /must be a list/],
    [{ sort: 'first_name' }, 'sort', 'sort must be a list of names'],
    [{ sort: [5] }, 'sort', 'sort must be a list of names'],
    [{ sort: null }, 'sort', 'sort must be a list of names'],
    [{ sort: ['-'] }, 'sort[0]', /Unknown field/],
    [{ sort: ['phone', 'city', 'state', 'country'] }, 'sort', 'sort must have at most 3 names'],
    [{ properties: 'phone' }, 'properties', 'properties must be a list of names'],
    [{ properties: [''] }, 'properties', 'properties has an empty name'],
    [{ limit: 101 }, 'limit', 'limit must be an integer from 1 to 100'],
    [{ limit: '5' }, 'limit', 'limit must be an integer from 1 to 100'],
    [{ limit: 1.5 }, 'limit', 'limit must be an integer from 1 to 100'],
    [{ count: null }, 'count', 'count must be true or false'],
    [
      { filter: where(...Array.from({ length: 101 }, () => is('phone', 'is_empty'))) },
      'filter',
      /at most 100 conditions/,
    ],
    [
      { filter: where(is('phone', 'in', Array.from({ length: 1001 }, String))) },
      'filter',
      /at most 1000 values/,
    ],
    [[], undefined, 'The body must be a JSON object'],
  ] as [unknown, string | undefined, string | RegExp][])(
    '%j is refused [contract 7]',
    async (body, field, message) => {
      expectInvalid(await search(body), [field, message]);
    },
  );

  it('is never part of a statement: names and values may be anything [contract 7]', async () => {
    for (const hostile of [
      "'; DROP TABLE records; --",
      '$1',
      '%',
      '_',
      '\\',
      "E'\\u0001'",
      '\u0001',
      '\ud83d',
      'x\u0000y',
      '{}',
      '()',
    ]) {
      for (const operator of ['eq', 'contains', 'starts_with', 'in']) {
        const { status, body } = await search({
          filter: where(is('first_name', operator, operator === 'in' ? [hostile] : hostile)),
        });
        expect([status, body.data ?? body.errors.map((each: any) => each.field)]).toEqual(
          status === 200 ? [200, []] : [400, ['filter.groups[0].conditions[0].value']],
        );
      }
      expect([200, 400]).toContain((await search({ filter: where(is('first_name', 'gt', hostile)) })).status);
      expect((await search({ sort: [hostile] })).status).toBe(400);
    }
  });
});

describe('A search of large records', () => {
  const MEBIBYTE = 1024 * 1024;

  it('ends early where it would exceed 10 MiB, and nothing is left out [contract 3, contract 7]', async () => {
    const notes = [1, 2, 3, 4].map(
      (index) => `{ object_type: deals, internal_name: notes_${index}, type: string, long: true }`,
    );
    await service.apply(`accounts: [{ slug: large, fields: [${notes.join(', ')}] }]`);
    const { accountId } = await service.account('large');
    await sql(
      service,
      `INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at)
       SELECT $1, 'deals', uuid_v7(now() + make_interval(secs => i)), jsonb_build_object('deal_name', 'Deal ' || i,
         'notes_1', $2::text, 'notes_2', $2::text, 'notes_3', $2::text, 'notes_4', $2::text), now(), now()
       FROM generate_series(1, 22) AS i`,
      [accountId, 'x'.repeat(MEBIBYTE / 4)],
    );
    const client = await service.login('large');
    const asked = { properties: ['notes_1', 'notes_2', 'notes_3', 'notes_4'], limit: 100 };
    const pages = await follow(client, '/deals/search', asked);
    for (const body of pages) expect(JSON.stringify(body).length).toBeLessThanOrEqual(10 * MEBIBYTE);
    expect(pages.map(({ data }) => data.length)).toEqual([9, 9, 4]);
    const names = Array.from({ length: 22 }, (_, index) => `Deal ${index + 1}`);
    expect(rows(pages).map((each) => each.deal_name)).toEqual(names);
    const small = await client.post('/deals/search', {
      limit: 100,
      filter: where(is('notes_2', 'starts_with', 'xx')),
    });
    expect([small.body.data.length, small.body.pagination.next]).toEqual([22, null]);
  });
});

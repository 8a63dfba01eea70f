import type { ApiClient } from '../../support/api-client.js';
import { expectInvalid } from '../../support/error-object.js';
import { follow, is, rows, where } from '../../support/search-pages.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

describe('A search by what the system keeps', () => {
  let client: ApiClient;
  let ids: string[];

  beforeAll(async () => {
    client = await service.login('system');
    ids = [];
    for (const first_name of ['Ada', 'Bob', 'Eve', 'Dan']) {
      const { body } = await client.post('/contacts', { fields: { first_name } });
      ids.push(body.id);
    }
    for (const index of [1, 3]) expect((await client.delete(`/contacts/${ids[index]}`)).status).toBe(200);
  });

  const found = async (body: object): Promise<number[]> => {
    const answer = await client.post('/contacts/search', {
      archived: true,
      count: true,
      limit: 100,
      ...body,
    });
    expect(answer.status).toBe(200);
    expect(answer.body.pagination.count).toBe(answer.body.data.length);
    return answer.body.data.map(({ id }: any) => ids.indexOf(id));
  };

  it('finds by the id, in any case [contract 3, contract 7]', async () => {
    expect(await found({ filter: where(is('id', 'eq', ids[2]!.toUpperCase())) })).toEqual([2]);
    expect(await found({ filter: where(is('id', 'in', [ids[3], 'none', ids[0]])) })).toEqual([0, 3]);
    expect(await found({ filter: where(is('id', 'neq', ids[2])) })).toEqual([0, 1, 3]);
    expect(await found({ filter: where(is('id', 'eq', 'none')) })).toEqual([]);
    expect(await found({ filter: where(is('id', 'ends_with', ids[1]!.slice(-12))) })).toEqual([1]);
    expect(await found({ filter: where(is('id', 'gt', ids[1])) })).toEqual([2, 3]);
    expect(await found({ archived: false, filter: where(is('id', 'in', ids)) })).toEqual([0, 2]);
  });

  it('finds by whether and by whom a record was archived [contract 3, contract 7]', async () => {
    expect(await found({ filter: where(is('archived', 'eq', true)) })).toEqual([1, 3]);
    expect(await found({ filter: where(is('archived', 'eq', 'false')) })).toEqual([0, 2]);
    expect(await found({ archived: false, filter: where(is('archived', 'eq', true)) })).toEqual([]);
    expect(await found({ filter: where(is('archived_by', 'is_empty')) })).toEqual([0, 2]);
    const { body } = await client.get(`/contacts/${ids[1]}`);
    expect(body.archived_by).toEqual(expect.any(String));
    expect(await found({ filter: where(is('archived_by', 'eq', body.archived_by)) })).toEqual([1, 3]);
  });

  it('sorts by them, page by page [contract 3, contract 7]', async () => {
    for (const [sort, expected] of [
      [['id'], [0, 1, 2, 3]],
      [['-id'], [3, 2, 1, 0]],
      [['archived'], [0, 2, 1, 3]],
      [
        ['-archived', '-id'],
        [3, 1, 2, 0],
      ],
      [
        ['archived_by', '-created_at'],
        [3, 1, 2, 0],
      ],
    ] as const) {
      expect(await found({ sort })).toEqual(expected);
      const pages = await follow(client, '/contacts/search', { archived: true, sort, limit: 1 });
      expect(rows(pages).map(({ id }) => ids.indexOf(id))).toEqual(expected);
    }
  });

  it('finds what has changed since, archived too, by `updated_at` [contract 3, contract 7]', async () => {
    const [, , third, last] = await Promise.all(ids.map((id) => client.get(`/contacts/${id}`)));
    const since = (at: string, field = 'updated_at'): object => ({ filter: where(is(field, 'gte', at)) });
    const { archived } = last!.body;
    expect(last!.body.updated_at).toBe(archived);
    expect(await found(since(archived))).toEqual([3]);
    expect(await found(since(archived, 'last_modified_date'))).toEqual([]);
    expect(await found({ ...since(third!.body.created_at), sort: ['-updated_at'] })).toEqual([3, 1, 2]);
    expect(await found({ ...since(archived), archived: false })).toEqual([]);
    for (const sort of [['updated_at'], ['-updated_at', 'id']]) {
      const pages = await follow(client, '/contacts/search', { archived: true, sort, limit: 1 });
      const order = rows(pages).map(({ id }) => ids.indexOf(id));
      expect(order).toEqual(sort.length === 1 ? [0, 2, 1, 3] : [3, 1, 2, 0]);
    }
  });

  it('refuses what is no value of them, and names of no field [contract 1, contract 7]', async () => {
    const filter = where(
      is('archived', 'eq', 'maybe'),
      is('archived', 'contains', 't'),
      is('archive', 'eq', 1),
    );
    expectInvalid(
      await client.post('/contacts/search', { filter, sort: ['archived_at'] }),
      ['filter.groups[0].conditions[0].value', /archived must be/],
      ['filter.groups[0].conditions[1].operator', /compares text/],
      ['filter.groups[0].conditions[2].field', /^Unknown field of contacts: archive/],
      ['sort[0]', /^Unknown field of contacts: archived_at/],
    );
  });
});

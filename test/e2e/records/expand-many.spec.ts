// A service of its own: it has another limit of records.
import type { ApiClient, ApiResponse } from '../../support/api-client.js';
import { expectError } from '../../support/error-object.js';
import { inPortions } from '../../support/in-portions.js';
import { UNKNOWN_ID } from '../../support/record-types.js';
import { TestService } from '../../support/test-service.js';

type Json = Record<string, any>;

let service: TestService;

beforeAll(async () => {
  // Two records of this size do not fit the answers of the tests of their bound, beside many others.
  service = await TestService.start({ recordLimit: '512kb' });
});
afterAll(() => service.stop());

async function create(api: ApiClient, type: string, fields: object): Promise<Json> {
  const { status, body } = await api.post(`/${type}`, { fields });
  expect(status).toBe(201);
  return body;
}

/** The two ways to say what is expanded. */
const WAYS = [
  ['in the query', (names: string[]) => [`?expand=${names.join(',')}`, {}] as const],
  ['in the body', (names: string[]) => ['', { expand: names }] as const],
] as const;

describe.each(WAYS)('expand %s', (_, say) => {
  let api: ApiClient;
  let companies: Json[];
  let contacts: Json[];

  beforeEach(async () => {
    api = await service.login(`expand-${Math.random().toString(36).slice(2)}`);
    companies = [];
    for (const name of ['A', 'B']) companies.push(await create(api, 'companies', { company_name: name }));
    contacts = [];
    for (const [n, company] of [companies[1], companies[0], undefined, companies[1]].entries()) {
      const fields = { first_name: `N${n}`, external_id: `k${n}`, company: company?.['id'] };
      contacts.push(await create(api, 'contacts', fields));
    }
  });

  const search = (body: object, names = ['company']): Promise<ApiResponse> => {
    const [query, said] = say(names);
    return api.post(`/contacts/search${query}`, { ...body, ...said });
  };
  const read = (body: object, names = ['company']): Promise<ApiResponse> => {
    const [query, said] = say(names);
    return api.post(`/contacts/batch/read${query}`, { ...body, ...said });
  };

  it('shows what a search finds with records in place of their ids, from page to page [contract 7]', async () => {
    const first = await search({ sort: ['-first_name'], limit: 3, count: true });
    const [zero, one, two, three] = contacts;
    const [a, b] = companies;
    expect(first.body.data).toEqual([
      { ...three, company: b },
      { ...two, company: null },
      { ...one, company: a },
    ]);
    expect(first.body.pagination).toEqual({ limit: 3, next: expect.any(String), count: 4 });
    const rest = await search({ sort: ['-first_name'], after: first.body.pagination.next });
    expect(rest.body).toEqual({ data: [{ ...zero, company: b }], pagination: { limit: 10, next: null } });
  });

  it('shows what a batch reads with records in place of their ids, by id and by key [contract 7]', async () => {
    const { body: gone } = await api.delete(`/companies/${companies[0]?.['id']}`);
    const expected = [
      { index: 0, status: 200, record: { ...contacts[1], company: gone } },
      expect.objectContaining({ index: 1, status: 404 }),
      { index: 2, status: 200, record: { ...contacts[2], company: null } },
      { index: 3, status: 200, record: { ...contacts[1], company: gone } },
    ];
    const ids = [contacts[1]?.['id'], UNKNOWN_ID, contacts[2]?.['id'], contacts[1]?.['id'].toUpperCase()];
    expect((await read({ inputs: ids.map((id) => ({ id })) })).body.results).toEqual(expected);
    const inputs = ['k1', 'none', 'k2', 'k1'].map((id) => ({ id }));
    expect((await read({ inputs, id_property: 'external_id' })).body.results).toEqual(expected);
  });

  it('of what is no reference is refused, with all else that is wrong [contract 1, contract 7]', async () => {
    const fieldsOf = ({ status, body }: ApiResponse): unknown => [
      status,
      body.errors.map(({ field }: Json) => field),
    ];
    const wrong = { properties: ['bad'] };
    expect(fieldsOf(await search({ ...wrong, filter: 7 }, ['city']))).toEqual([
      400,
      expect.arrayContaining(['properties', 'expand', 'filter']),
    ]);
    expect(fieldsOf(await read({ ...wrong, inputs: [{ id: 'x' }] }, ['company', 'nothing']))).toEqual([
      400,
      ['properties', 'expand'],
    ]);
  });
});

describe('What expand adds', () => {
  const large = '\u0001'.repeat(16 * 1024);
  const fields = { company_name: large, description: large, industry: large };
  let api: ApiClient;

  beforeAll(async () => {
    api = await service.login('large');
    await inPortions(40, 8, async (index) => {
      const external_id = `l${10 + index}`;
      const { id } = await create(api, 'companies', { ...fields, external_id });
      await create(api, 'contacts', { first_name: 'A', external_id, company: id });
    });
  });

  it('ends a page of a search at 10 MiB, and the next one goes on in its order [contract 3, contract 7]', async () => {
    const seen: string[] = [];
    const sizes: number[] = [];
    for (let after: string | null | undefined; after !== null;) {
      const { body } = await api.post('/contacts/search?expand=company', {
        sort: ['-external_id'],
        limit: 100,
        ...(after === undefined ? {} : { after }),
      });
      sizes.push(Buffer.byteLength(JSON.stringify(body)));
      seen.push(...body.data.map((row: Json) => row['company'].external_id));
      after = body.pagination.next;
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(10 * 1024 * 1024);
    expect(sizes.length).toBe(2);
    expect(seen).toEqual(Array.from({ length: 40 }, (_, n) => `l${49 - n}`));
  });

  it('counts a record again for each row that shows it [contract 3, contract 7]', async () => {
    const api = await service.login('shared');
    const company = await create(api, 'companies', fields);
    const ids = await inPortions(40, 8, async () => {
      return (await create(api, 'contacts', { first_name: 'A', company: company['id'] }))['id'] as string;
    });
    const shared = { limit: 100 };
    const { body } = await api.post('/contacts/search?expand=company', shared);
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(10 * 1024 * 1024);
    expect(body.data.length).toBeGreaterThan(20);
    const { body: rest } = await api.post('/contacts/search?expand=company', {
      ...shared,
      after: body.pagination.next,
    });
    expect([...body.data, ...rest.data].map(({ id }) => id).sort()).toEqual([...ids].sort());
    const asked = { inputs: ids.map((id) => ({ id })) };
    expectError(await api.post('/contacts/batch/read?expand=company', asked), 413, {
      code: 'too_large',
      message: expect.stringContaining('more than 10 MiB'),
    });
  });

  it('counts for a batch, which is refused beyond 10 MiB [contract 3, contract 7]', async () => {
    const inputs = Array.from({ length: 40 }, (_, n) => ({ id: `l${n + 10}` }));
    const asked = { inputs, id_property: 'external_id' };
    expect((await api.post('/contacts/batch/read', asked)).body.results).toHaveLength(40);
    expectError(await api.post('/contacts/batch/read?expand=company', asked), 413, {
      code: 'too_large',
      message: expect.stringContaining('more than 10 MiB'),
    });
    const fewer = { ...asked, inputs: inputs.slice(0, 20) };
    expect((await api.post('/contacts/batch/read?expand=company', fewer)).body.results).toHaveLength(20);
  });
});

describe('A batch that writes', () => {
  it('takes no expand, in no way [contract 1, contract 7]', async () => {
    const api = await service.login('writes');
    const body = { inputs: [{ fields: { first_name: 'A' } }] };
    for (const refused of [
      await api.post('/contacts/batch/create?expand=company', body),
      await api.post('/contacts/batch/create', { ...body, expand: ['company'] }),
    ]) {
      expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request', field: 'expand' } });
    }
  });
});

describe('A batch that reads', () => {
  it('writes nothing, so an Idempotency-Key keeps no answer of it [contract 7]', async () => {
    const api = await service.login('reads');
    const { id } = (await create(api, 'contacts', { first_name: 'A' })) as { id: string };
    const options = { headers: { 'Idempotency-Key': 'read-1' } };
    const asked = { inputs: [{ id }] };
    await api.post('/contacts/batch/read', asked, options);
    await api.patch(`/contacts/${id}`, { fields: { first_name: 'B' } });
    const again = await api.post('/contacts/batch/read', asked, options);
    expect(again.headers.get('idempotency-replayed')).toBeNull();
    expect(again.body.results[0].record.first_name).toBe('B');
  });
});

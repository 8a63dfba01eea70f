import type { ApiClient } from '../../support/api-client.js';
import { expectDuplicate, expectInvalid } from '../../support/error-object.js';
import { RECORD_TYPES, USERS } from '../../support/record-types.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let api: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  await service.apply(`accounts: [{ slug: acme, ${USERS} }, { slug: other, ${USERS} }]`);
  api = await service.login('acme');
});
afterAll(() => service.stop());

const VALUES = {
  c_string: ['text', 'text'],
  c_number: [1.5, '1.5'],
  c_bool: [true, 'true'],
  c_datetime: ['2026-03-01', '2026-03-01T00:00:00.000Z'],
  c_enumeration: ['Two', 'two'],
  c_user: ['GRACE@acme.test', 'grace@acme.test'],
} as const;

function fieldsOf(objectType: string): string {
  return Object.keys(VALUES)
    .map((name) => {
      const type = name.slice(2);
      const options =
        type === 'enumeration'
          ? ', options: [{ internal_name: one }, { internal_name: two, label: Two }]'
          : '';
      return `{ object_type: ${objectType}, internal_name: ${name}, type: ${type}${options} }`;
    })
    .join(', ');
}

describe.each(RECORD_TYPES)('Custom fields of $type', ({ type, minimal }) => {
  const names = Object.keys(VALUES);
  const sent = Object.fromEntries(Object.entries(VALUES).map(([name, [value]]) => [name, value]));
  const stored = Object.fromEntries(Object.entries(VALUES).map(([name, [, value]]) => [name, value]));

  beforeAll(() => service.apply(`accounts: [{ slug: acme, fields: [${fieldsOf(type)}] }]`));

  it('of all six types are written by their names and read at top level [2.2, 2.4, 2.6]', async () => {
    const query = `?properties=${names.join(',')}`;
    const { status, body } = await api.post(`/${type}${query}`, { fields: { ...minimal, ...sent } });
    expect(status).toBe(201);
    expect(body).toMatchObject(stored);
    expect((await api.get(`/${type}/${body.id}${query}`)).body).toEqual(body);
    const cleared = await api.patch(`/${type}/${body.id}${query}`, {
      fields: Object.fromEntries(names.map((name) => [name, null])),
    });
    for (const name of names) expect(cleared.body[name]).toBeNull();
  });

  it('are not in the default set [2.1, 2.3]', async () => {
    const { body } = await api.post(`/${type}`, { fields: { ...minimal, ...sent } });
    for (const name of names) expect(body).not.toHaveProperty(name);
  });

  it('are unknown to other accounts [1, 2.4]', async () => {
    const other = await service.login('other');
    expectInvalid(
      await other.post(`/${type}`, { fields: { ...minimal, ...sent } }),
      ...names.map((name) => [name, new RegExp(`Unknown field: ${name}`)] as const),
    );
  });
});

describe('Custom fields in use', () => {
  it('can be used from the moment they are configured, with no restart [2.4, 2.6]', async () => {
    const body = { fields: { first_name: 'Ada', shoe_size: 38 } };
    expectInvalid(await api.post('/contacts', body), ['shoe_size', /Unknown field: shoe_size/]);
    expectInvalid(await api.get('/contacts?properties=shoe_size'), ['properties', /shoe_size/]);
    await service.apply(
      'accounts: [{ slug: acme, fields: [{ object_type: contacts, internal_name: shoe_size, type: number }] }]',
    );
    const created = await api.post('/contacts?properties=shoe_size', body);
    expect({ status: created.status, value: created.body.shoe_size }).toEqual({ status: 201, value: '38' });
    expect((await api.get('/contacts?properties=shoe_size')).status).toBe(200);
  });

  it('options added to a standard field are usable at once, by this account only [2.6]', async () => {
    const other = await service.login('other');
    const body = { fields: { first_name: 'Ada', lead_source: 'PODCAST show' } };
    const refused = await api.post('/contacts', body);
    expectInvalid(refused, ['lead_source', /website, referral/]);
    expect(refused.body.message).not.toContain('podcast');
    await service.apply(`accounts: [{ slug: acme, fields: [{ object_type: contacts, internal_name: lead_source,
      options: [{ internal_name: podcast, label: Podcast show }] }] }]`);
    const created = await api.post('/contacts?properties=lead_source', body);
    expect({ status: created.status, value: created.body.lead_source }).toEqual({
      status: 201,
      value: 'podcast',
    });
    const wrong = await api.post('/contacts', { fields: { first_name: 'Ada', lead_source: 'radio' } });
    expectInvalid(wrong, ['lead_source', /website, referral, .*podcast$/]);
    expectInvalid(await other.post('/contacts', body), ['lead_source', /website, referral/]);
  });

  it('a user who is added can own records at once [2.6, contract 3]', async () => {
    const body = { fields: { first_name: 'Ada', contact_owner: 'new@acme.test' } };
    expectInvalid(await api.post('/contacts', body), ['contact_owner', /contact_owner/]);
    await service.apply('accounts: [{ slug: acme, users: [{ email: New@acme.test }] }]');
    const { status, body: created } = await api.post('/contacts', body);
    expect({ status, owner: created.contact_owner }).toEqual({ status: 201, owner: 'new@acme.test' });
  });

  it('named like a unique key of another type are plain text and not unique [2.6, 2.8]', async () => {
    await service.apply(`accounts: [{ slug: acme, fields: [
      { object_type: deals, internal_name: email, type: string },
      { object_type: tickets, internal_name: website_url, type: string }] }]`);
    const { minimal } = RECORD_TYPES[2]!;
    for (let count = 0; count < 2; count++) {
      const { status, body } = await api.post('/deals?properties=email', {
        fields: { ...minimal, email: 'Ada@Example.com' },
      });
      expect({ status, email: body.email }).toEqual({ status: 201, email: 'Ada@Example.com' });
    }
  });

  it('named like something every object has are fields like any other [2.2, 2.4]', async () => {
    const fields = ['constructor', 'prototype', 'valueof', 'then', 'length', 'fields', 'data'];
    await service.apply(
      `accounts: [{ slug: acme, fields: [${fields
        .map((name) => `{ object_type: tickets, internal_name: ${name}, type: string }`)
        .join(', ')}] }]`,
    );
    const { minimal } = RECORD_TYPES[3]!;
    const query = `?properties=${fields.join(',')}`;
    const empty = await api.post(`/tickets${query}`, { fields: minimal });
    for (const name of fields) expect(empty.body[name]).toBeNull();
    const values = Object.fromEntries(fields.map((name) => [name, `A ${name}`]));
    const { status, body } = await api.patch(`/tickets/${empty.body.id}${query}`, { fields: values });
    expect({ status, body }).toEqual({
      status: 200,
      body: { ...empty.body, ...values, updated_at: expect.any(String) },
    });
  });

  it('leave the unique keys unique [2.8]', async () => {
    await service.apply(
      'accounts: [{ slug: acme, fields: [{ object_type: contacts, internal_name: nickname, type: string }] }]',
    );
    const create = (nickname: string): Promise<any> =>
      api.post('/contacts', { fields: { email: 'one@custom.example', nickname } });
    expect((await create('A')).status).toBe(201);
    expectDuplicate(await create('B'), 'email');
  });
});

import type { ApiClient } from '../../support/api-client.js';
import { expectInvalid } from '../../support/error-object.js';
import { flatObject, ISO_TIME, RECORD_TYPES, USERS } from '../../support/record-types.js';
import { storedRecords } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let api: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  await service.apply(`accounts: [{ slug: acme, ${USERS} }]`);
  api = await service.login('acme');
});
afterAll(() => service.stop());

describe('POST on a collection', () => {
  it('creates a contact and returns its flat object [2.1, 2.2, 4.3]', async () => {
    const { status, body } = await api.post('/contacts', {
      fields: { first_name: 'Ada', email: 'Ada.King@Example.com' },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      first_name: 'Ada',
      last_name: null,
      email: 'ada.king@example.com',
      contact_owner: null,
      external_id: null,
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      updated_at: body.created_at,
      archived: false,
    });
  });

  it('answers JSON without a nested fields object [1, 2.2, contract 1]', async () => {
    const { headers, body } = await api.post('/tickets', { fields: RECORD_TYPES[3]!.minimal });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).not.toHaveProperty('fields');
  });
});

describe.each(RECORD_TYPES)('POST /$type', (recordType) => {
  const { type, minimal, sent, stored } = recordType;
  const every = Object.keys(stored).join(',');

  it('answers 201 with the default fields for the least that is required [2.1, 2.7, 3, 4, 4.3, 4.7, contract 3]', async () => {
    const { status, body } = await api.post(`/${type}`, { fields: minimal });
    expect({ status, body }).toEqual({ status: 201, body: flatObject(recordType, minimal) });
    expect(body.updated_at).toBe(body.created_at);
  });

  it('takes every standard field, returns the default ones, and all when asked [2.1, 2.4, 2.6, 2.10, contract 3]', async () => {
    const { status, body } = await api.post(`/${type}`, { fields: sent });
    expect({ status, body }).toEqual({ status: 201, body: flatObject(recordType, stored) });
    const read = await api.get(`/${type}/${body.id}?properties=${every}`);
    expect(read.status).toBe(200);
    expect(read.body).toEqual({ ...body, ...stored });
  });

  it('gives an empty field as null, never leaves it out [2.2]', async () => {
    const { body } = await api.post(`/${type}?properties=${every}`, { fields: minimal });
    const empty = Object.fromEntries(Object.keys(stored).map((name) => [name, null]));
    expect(body).toEqual({ ...flatObject(recordType, minimal), ...empty, ...minimal });
  });

  it('sets the dates that it manages [2.5, contract 3]', async () => {
    const { body } = await api.post(`/${type}?properties=record_id,create_date,last_modified_date`, {
      fields: minimal,
    });
    expect(body).toEqual({
      ...flatObject(recordType, minimal),
      record_id: body.id,
      create_date: body.created_at,
      last_modified_date: body.updated_at,
    });
    expect(body.create_date).toMatch(ISO_TIME);
  });
});

describe('Required fields on create', () => {
  const anyOf = [
    ['contacts', ['email', 'first_name', 'last_name'], 'phone'],
    ['companies', ['company_name', 'website_url'], 'phone'],
  ] as const;
  const allOf = [
    ['deals', { deal_name: 'A', deal_stage: 'new', pipeline: 'default' }],
    ['tickets', { ticket_name: 'A', ticket_stage: 'new', pipeline: 'default' }],
  ] as const;

  it.each(anyOf)('%s: any one of %j is enough [2.7]', async (type, names) => {
    for (const name of names) {
      const value = `${type}-only-${name.replace('_', '-')}.example`;
      const { status, body } = await api.post(`/${type}?properties=${name}`, { fields: { [name]: value } });
      expect({ status, value: body[name] }).toEqual({ status: 201, value });
    }
  });

  it.each(anyOf)(
    '%s: none of %j is refused, empty ones count as none [2.7, 7, contract 3]',
    async (type, names, other) => {
      const before = await storedRecords(service);
      const message = new RegExp(names.join('.*'));
      const nulls = Object.fromEntries(names.map((name) => [name, null]));
      const empties = Object.fromEntries(names.map((name) => [name, '']));
      for (const fields of [{}, { [other]: '1' }, nulls, { ...empties, [other]: '1' }]) {
        expectInvalid(await api.post(`/${type}`, { fields }), [undefined, message]);
      }
      expect(await storedRecords(service)).toEqual(before);
    },
  );

  it.each(allOf)(
    '%s: each required field is named that is missing or empty [2.7, 7, 2.9, contract 1, contract 3]',
    async (type, required) => {
      const before = await storedRecords(service);
      const names = Object.keys(required);
      for (const name of names) {
        const { [name]: _, ...rest } = required as Record<string, string>;
        for (const fields of [rest, { ...rest, [name]: null }, { ...rest, [name]: '' }]) {
          expectInvalid(await api.post(`/${type}`, { fields }), [name, new RegExp(name)]);
        }
      }
      expectInvalid(
        await api.post(`/${type}`, { fields: {} }),
        ...names.map((name) => [name, new RegExp(name)] as const),
      );
      expect(await storedRecords(service)).toEqual(before);
    },
  );

  it.each(RECORD_TYPES)('$type: PATCH requires nothing, not even to keep them [2.7]', async (recordType) => {
    const { type, minimal, stored } = recordType;
    const { body: created } = await api.post(`/${type}`, { fields: minimal });
    const nothing = await api.patch(`/${type}/${created.id}`, { fields: {} });
    expect(nothing.status).toBe(200);
    expect(nothing.body).toEqual({ ...created, updated_at: expect.stringMatching(ISO_TIME) });
    const names = Object.keys(minimal);
    const cleared = await api.patch(`/${type}/${created.id}?properties=${names.join(',')}`, {
      fields: Object.fromEntries(names.map((name) => [name, null])),
    });
    expect(cleared.status).toBe(200);
    for (const name of names) expect(cleared.body[name]).toBeNull();
    expect(Object.keys(stored)).toEqual(expect.arrayContaining(names));
  });
});

import type { ApiClient } from '../../support/api-client.js';
import { expectInvalid } from '../../support/error-object.js';
import { flatObject, RECORD_TYPES, USERS } from '../../support/record-types.js';
import { storedRecords } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

const CUSTOM = `fields: [
  { object_type: contacts, internal_name: lead_score, type: number },
  { object_type: contacts, internal_name: account_manager, type: user }]`;

let service: TestService;
let api: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  await service.apply(`accounts: [{ slug: acme, ${USERS}, ${CUSTOM} }]`);
  api = await service.login('acme');
});
afterAll(() => service.stop());

describe.each(RECORD_TYPES)('properties of $type', (recordType) => {
  const { type, sent, stored, defaults, owner, text, minimal } = recordType;
  const fields = Object.keys(stored);
  const managed = ['record_id', 'create_date', 'last_modified_date', `${owner}_assigned_date`];
  let created: any;

  /** The four requests that return the flat object of a record, with a query string. */
  const WAYS: [string, (query: string) => Promise<any>][] = [
    ['GET', async (query) => (await api.get(`/${type}/${created.id}?${query}`)).body],
    ['GET list', async (query) => (await api.get(`/${type}?${query}`)).body.data[0]],
    ['PATCH', async (query) => (await api.patch(`/${type}/${created.id}?${query}`, { fields: {} })).body],
    ['POST', async (query) => (await api.post(`/${type}?${query}`, { fields: again() })).body],
  ];

  /** The fields of the record without its unique keys, so that they can be POSTed again. */
  function again(): Record<string, unknown> {
    const { email: _, website_url: __, external_id: ___, ...rest } = sent;
    return { ...minimal, ...rest };
  }

  beforeAll(async () => {
    ({ body: created } = await api.post(`/${type}`, { fields: again() }));
  });

  it.each(WAYS)('%s: only the default set when left out [2.1, 2.3]', async (_, ask) => {
    const keys = ['id', ...defaults, 'created_at', 'updated_at', 'archived'];
    expect(Object.keys(await ask('')).sort()).toEqual(keys.sort());
  });

  it.each(WAYS)('%s: adds to the default set, does not replace it [2.3, 2.2, 4.4]', async (_, ask) => {
    const body = await ask(`properties=${text}`);
    const expected = { ...flatObject(recordType, created), [text]: again()[text] };
    expect(body).toEqual(expected);
  });

  it.each(WAYS)('%s: takes names by comma, repeated, or both [2.3, 4.2, contract 3]', async (_, ask) => {
    const all = [...fields, ...managed].sort();
    const [first, second, ...rest] = all;
    for (const query of [
      `properties=${all.join(',')}`,
      all.map((name) => `properties=${name}`).join('&'),
      `properties=${first},${second}&properties=${rest.join(',')}`,
      `properties=${[...all, ...all].join('%2C')}`,
    ]) {
      const body = await ask(query);
      expect(Object.keys(body)).toEqual(expect.arrayContaining(all));
      expect(Object.keys(body)).toHaveLength(new Set([...all, ...Object.keys(created)]).size);
    }
  });

  it.each(WAYS)('%s: returns every system-managed field [2.3, 2.5, contract 3]', async (_, ask) => {
    const body = await ask(`properties=${managed.join()}`);
    expect(body).toEqual({
      ...flatObject(recordType, created),
      record_id: body.id,
      create_date: body.created_at,
      last_modified_date: body.updated_at,
      [`${owner}_assigned_date`]: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  it.each(WAYS)('%s: the dates that are in every response may be named too [2.5]', async (_, ask) => {
    expect(await ask('properties=created_at,updated_at')).toEqual(flatObject(recordType, created));
  });

  it('refuses names that are empty, unknown, another type’s or not to be asked for [2.3, 7, contract 3]', async () => {
    const foreign = RECORD_TYPES.find((each) => each.type !== type)!.owner;
    const bad: [query: string, ...names: string[]][] = [
      ['properties=', ''],
      [`properties=,${text}`, ''],
      [`properties=${text},`, ''],
      [`properties=${text}&properties=`, ''],
      ['properties=%20', ''],
      ['properties=archived_by', 'archived_by'],
      ['properties=no_such_field', 'no_such_field'],
      [`properties=${text.toUpperCase()}`, text.toUpperCase()],
      [`properties=${foreign}`, foreign],
      [`properties=${foreign}_assigned_date`, `${foreign}_assigned_date`],
      ['properties=external_id_assigned_date', 'external_id_assigned_date'],
      ['properties=fields', 'fields'],
      ['properties=account_id', 'account_id'],
      ['properties=*', '*'],
      [`properties=nope,${text}&properties=neither`, 'nope', 'neither'],
    ];
    const before = await storedRecords(service);
    for (const [query, ...names] of bad) {
      const failures = names.map(
        (name) => ['properties', name === '' ? /empty/ : new RegExp(`${name.replace('*', '\\*')}$`)] as const,
      );
      for (const response of [
        await api.get(`/${type}?${query}`),
        await api.get(`/${type}/${created.id}?${query}`),
        await api.patch(`/${type}/${created.id}?${query}`, { fields: { [text]: 'Changed' } }),
        await api.post(`/${type}?${query}`, { fields: again() }),
      ]) {
        expectInvalid(response, ...failures);
      }
    }
    expect(await storedRecords(service)).toEqual(before);
  });

  it('is no parameter of DELETE [4.4, contract 1]', async () => {
    const response = await api.delete(`/${type}/${created.id}?properties=${text}`);
    expectInvalid(response, ['properties', /properties/]);
    expect((await api.get(`/${type}/${created.id}`)).body.archived).toBe(false);
  });

  it('returns extra fields of archived records too [2.3, 3]', async () => {
    const { body } = await api.post(`/${type}`, { fields: again() });
    await api.delete(`/${type}/${body.id}`);
    const read = await api.get(`/${type}/${body.id}?properties=${text},record_id`);
    expect(read.body).toMatchObject({
      [text]: again()[text],
      record_id: body.id,
      archived_by: expect.any(String),
    });
  });
});

describe('properties of custom fields', () => {
  it('are named like any field, the assigned date of a custom user field as well [2.2, 2.3, contract 3]', async () => {
    const { body } = await api.post(
      '/contacts?properties=lead_score,account_manager,account_manager_assigned_date',
      { fields: { first_name: 'Ada', lead_score: 7, account_manager: 'grace@acme.test' } },
    );
    expect(body).toMatchObject({
      lead_score: '7',
      account_manager: 'grace@acme.test',
      account_manager_assigned_date: body.created_at,
    });
  });

  it('belong to their object type only [2.3]', async () => {
    const response = await api.get('/deals?properties=lead_score');
    expectInvalid(response, ['properties', /lead_score/]);
  });
});

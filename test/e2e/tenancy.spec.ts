import type { ApiClient } from '../support/api-client.js';
import { expectError, expectInvalid } from '../support/error-object.js';
import { rawRequest, type RawResponse } from '../support/raw-request.js';
import { RECORD_TYPES, UNKNOWN_ID } from '../support/record-types.js';
import { storedRecords, userIdOf } from '../support/database/stored-records.js';
import { TestService } from '../support/test-service.js';

const CONFIGURATION = `accounts:
  - slug: acme
    users: [{ email: ada@acme.test }]
    fields: [
      { object_type: contacts, internal_name: lead_score, type: number },
      { object_type: contacts, internal_name: lead_source, options: [{ internal_name: podcast }] }]
  - slug: globex
    users: [{ email: hank@globex.test }]`;

let service: TestService;
let acme: ApiClient;
let globex: ApiClient;
let acmeUser: string;

beforeAll(async () => {
  service = await TestService.shared();
  await service.apply(CONFIGURATION);
  acme = await service.login('acme');
  globex = await service.login('globex');
  acmeUser = await userIdOf(service, 'acme', 'ada@acme.test');
});
afterAll(() => service.stop());

/** The headers of two equal answers that differ: when it was, and how many requests were counted before. */
const VARYING = new Set(['date', 'ratelimit-remaining', 'ratelimit-reset']);

/** Returns the parts of an answer that must be equal for two requests: all except the date. */
function comparable({ status, headers, text }: RawResponse): object {
  const names = [...headers].filter(([name]) => !VARYING.has(name));
  return { status, text, headers: Object.fromEntries(names) };
}

describe.each(RECORD_TYPES)('$type of another account', ({ type, singular, minimal, text, owner, key }) => {
  const JSON_TYPE = { 'Content-Type': 'application/json', 'X-Request-Id': 'the-same' };
  const message = `${singular.charAt(0).toUpperCase()}${singular.slice(1)} not found`;
  let active: string;
  let archived: string;

  beforeAll(async () => {
    const fields = {
      ...minimal,
      external_id: 'shared',
      [owner]: 'ada@acme.test',
      ...(key && { [key]: 'shared.example' }),
    };
    active = (await acme.post(`/${type}`, { fields })).body.id;
    archived = (await acme.post(`/${type}`, { fields: minimal })).body.id;
    expect((await acme.delete(`/${type}/${archived}`)).status).toBe(200);
  });

  const VERBS: [name: string, method: string, query: string, body: string][] = [
    ['GET', 'GET', '', ''],
    ['GET with properties', 'GET', `?properties=record_id,${text}`, ''],
    ['HEAD', 'HEAD', '', ''],
    ['DELETE', 'DELETE', '', ''],
    ['PATCH', 'PATCH', '', JSON.stringify({ fields: { [text]: 'Mine now' } })],
    ['PATCH of nothing', 'PATCH', '', '{"fields": {}}'],
    ['PATCH of a key that is taken there', 'PATCH', '', '{"fields": {"external_id": "shared"}}'],
    ['PATCH with properties', 'PATCH', '?properties=record_id', '{"fields": {}}'],
  ];

  it.each(VERBS)(
    '%s answers as for an unknown and a malformed id, to the byte [1, 4.4, 5.3, contract 1]',
    async (_, method, query, body) => {
      const before = await storedRecords(service);
      const ask = async (id: string): Promise<RawResponse> =>
        rawRequest(globex, method, `/${type}/${id}${query}`, { headers: JSON_TYPE, ...(body && { body }) });
      const unknown = await ask(UNKNOWN_ID);
      if (method !== 'HEAD') expectError(unknown, 404, { message });
      expect(unknown.status).toBe(404);
      for (const id of [
        active,
        archived,
        active.toUpperCase(),
        'malformed',
        `${active}x`,
        active.slice(1),
        '%20',
        '%00',
      ]) {
        expect(comparable(await ask(id))).toEqual(comparable(unknown));
      }
      expect(await storedRecords(service)).toEqual(before);
    },
  );

  it.each([
    ['an unknown field', '{"fields": {"nope": 1}}', ''],
    ['a body without fields', '{}', ''],
    ['a bad property', '{"fields": {}}', '?properties=nope'],
    ['an unknown parameter', '{"fields": {}}', '?nope=1'],
    ['malformed JSON', '{', ''],
  ])('PATCH with %s answers the same for any id [1, 7, contract 1]', async (_, body, query) => {
    const ask = (id: string): Promise<RawResponse> =>
      rawRequest(globex, 'PATCH', `/${type}/${id}${query}`, { headers: JSON_TYPE, body });
    const unknown = await ask(UNKNOWN_ID);
    expect(unknown.status).toBe(400);
    for (const id of [active, archived, 'malformed']) {
      expect(comparable(await ask(id))).toEqual(comparable(unknown));
    }
  });

  it('are neither listed nor counted, archived or not [1, 4.2, 5.3]', async () => {
    for (const query of ['', '?archived=true', '?archived=false&limit=100', '?offset=0&limit=1']) {
      const { status, body } = await globex.get(`/${type}${query}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ data: [], pagination: { count: 0 } });
    }
  });

  it('are counted in their own account only, whatever others create [1, 4.2]', async () => {
    const other = await service.login('initech');
    for (let count = 0; count < 3; count++) await other.post(`/${type}`, { fields: minimal });
    expect((await acme.get(`/${type}`)).body.pagination.count).toBe(1);
    expect((await acme.get(`/${type}?archived=true`)).body.pagination.count).toBe(2);
    expect((await other.get(`/${type}`)).body.pagination.count).toBe(3);
  });

  it('take no unique key away, and are not touched by who has the same [1, 2.8]', async () => {
    const before = await acme.get(`/${type}/${active}`);
    const fields = { ...minimal, external_id: 'shared', ...(key && { [key]: 'shared.example' }) };
    const own = await service.login('umbrella');
    const created = await own.post(`/${type}`, { fields });
    expect(created.status).toBe(201);
    expect((await own.patch(`/${type}/${created.body.id}`, { fields })).status).toBe(200);
    expect((await own.delete(`/${type}/${created.body.id}`)).status).toBe(200);
    expect((await acme.get(`/${type}/${active}`)).body).toEqual(before.body);
  });

  it('have owners that are no users here: the same answer as for nobody at all [1, 2.6, contract 3]', async () => {
    const ask = async (user: string): Promise<unknown> => {
      const response = await rawRequest(globex, 'POST', `/${type}`, {
        headers: JSON_TYPE,
        body: JSON.stringify({ fields: { ...minimal, [owner]: user } }),
      });
      expectInvalid(response, [owner, new RegExp(owner)]);
      return comparable(response);
    };
    const nobody = await ask('nobody@nowhere.test');
    expect(await ask('ada@acme.test')).toEqual(nobody);
    expect(await ask(acmeUser)).toEqual(nobody);
    expect((await globex.get(`/${type}?archived=true`)).body.pagination.count).toBe(0);
  });
});

describe('The configuration of another account', () => {
  it('has fields that are unknown here, in fields and in properties [1, 2.3, 2.4]', async () => {
    const fields = { first_name: 'Ada', lead_score: 1 };
    expect((await acme.post('/contacts?properties=lead_score', { fields })).status).toBe(201);
    expectInvalid(await globex.post('/contacts', { fields }), ['lead_score', 'Unknown field: lead_score']);
    expectInvalid(await globex.get('/contacts?properties=lead_score'), ['properties', /lead_score/]);
    expectInvalid(await globex.get(`/contacts/${UNKNOWN_ID}?properties=lead_score`), [
      'properties',
      /lead_score/,
    ]);
  });

  it('has options that are none here, and that no error lists [1, 2.6]', async () => {
    const fields = { first_name: 'Ada', lead_source: 'podcast' };
    expect((await acme.post('/contacts', { fields })).status).toBe(201);
    const response = await globex.post('/contacts', { fields });
    expectInvalid(response, ['lead_source', /must be one of/]);
    expect(JSON.stringify(response.body)).not.toContain('podcast');
  });

  it('is not reached by naming the account in the request [1, 5.3]', async () => {
    const { accountId } = await service.account('acme');
    const headers = { 'X-Account-Id': accountId, Account: 'acme' };
    expect((await globex.get('/contacts?limit=100', { headers })).body.data).toEqual([]);
    expectInvalid(await globex.get(`/contacts?account_id=${accountId}`), ['account_id', /account_id/]);
    const body = { fields: { first_name: 'Ada', account_id: accountId } };
    expectInvalid(await globex.post('/contacts', body), ['account_id', /account_id/]);
  });
});

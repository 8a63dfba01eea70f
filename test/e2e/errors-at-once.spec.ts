import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { expectError, expectInvalid, type Failure } from '../support/error-object.js';
import { UNKNOWN_ID } from '../support/record-types.js';
import { people, router, RoutingAccount } from '../support/routing-account.js';
import { storedRecords } from '../support/database/stored-records.js';
import { TestService } from '../support/test-service.js';

let service: TestService;
let account: RoutingAccount;
let api: ApiClient;
let contact: string;
let routerId: string;

beforeAll(async () => {
  service = await TestService.shared();
  account = await RoutingAccount.open(service, {
    users: people(['ada']),
    fields: [{ object_type: 'contacts', internal_name: 'score', type: 'number' }],
    routers: [router('R', {}, { users: people(['ada']) })],
  });
  ({ api } = account);
  contact = await account.contact();
  routerId = await account.routerId('R');
});
afterAll(() => service.stop());

/** Asserts that an answer lists these failures, in any order, with that code. */
function expectAll(response: ApiResponse, code: string, failures: readonly Failure[]): void {
  const order = (response.body.errors ?? []).map((each: { message: string }) => each.message);
  const place = ([, message]: Failure): number =>
    order.findIndex((said: string) => (typeof message === 'string' ? said === message : message.test(said)));
  expectInvalid(response, ...[...failures].sort((a, b) => place(a) - place(b)));
  expect(response.body.code).toBe(code);
}

const FIELDS = { first_name: 'Ada', foo: 1, record_id: 2, lead_source: 'zz', score: 'ten' };
const BAD_FIELDS: readonly Failure[] = [
  ['foo', 'Unknown field: foo'],
  ['record_id', 'Field cannot be set: record_id'],
  ['lead_source', /^lead_source must be one of: /],
  ['score', /^score must be a finite number/],
];
const BAD_KEY: Failure = ['bar', 'Unknown key: bar (allowed: fields)'];
const BAD_PROPERTY: Failure = ['properties', 'Invalid property: bogus'];
const BAD_PARAMETER: Failure = ['limit', /^Unknown query parameter: limit/];
const QUERY = '?properties=bogus&limit=1';

describe('All that is wrong with a write', () => {
  const writes: [string, (query: string, body: unknown) => Promise<ApiResponse>][] = [
    ['POST', (query, body) => api.post(`/contacts${query}`, body)],
    ['PATCH', (query, body) => api.patch(`/contacts/${contact}${query}`, body)],
  ];

  it.each(writes)('is in one answer to a %s [2.3, 2.6, contract 1]', async (_, write) => {
    const before = await storedRecords(service);
    expectAll(await write('', { fields: FIELDS, bar: 1 }), 'invalid_fields', [BAD_KEY, ...BAD_FIELDS]);
    expectAll(await write('?properties=bogus', { fields: FIELDS }), 'invalid_fields', [
      BAD_PROPERTY,
      ...BAD_FIELDS,
    ]);
    expectAll(await write(QUERY, { fields: FIELDS, bar: 1 }), 'invalid_fields', [
      BAD_PARAMETER,
      BAD_KEY,
      BAD_PROPERTY,
      ...BAD_FIELDS,
    ]);
    expectAll(await write(QUERY, { fields: { first_name: 'Ada' }, bar: 1 }), 'invalid_request', [
      BAD_PARAMETER,
      BAD_KEY,
      BAD_PROPERTY,
    ]);
    expectAll(await write(QUERY, { bar: 1 }), 'invalid_request', [
      BAD_PARAMETER,
      BAD_KEY,
      ['fields', 'fields is required'],
      BAD_PROPERTY,
    ]);
    expectAll(await write(QUERY, []), 'invalid_request', [
      BAD_PARAMETER,
      [undefined, 'The body must be a JSON object with the key fields'],
      BAD_PROPERTY,
    ]);
    expect(await storedRecords(service)).toEqual(before);
  });

  it('has a size and required fields among it [2.7, contract 1, contract 3]', async () => {
    const description = 'x'.repeat(16_000);
    const large = Object.fromEntries(
      ['description', 'industry', 'phone', 'country', 'city'].map((name) => [name, description]),
    );
    expectAll(await api.post('/companies?properties=bogus', { fields: { ...large, company_name: 'A' } }), 'invalid_fields', [
      BAD_PROPERTY,
      ['description', /larger than 65536 bytes together/],
    ]); // prettier-ignore
    expectAll(await api.post('/deals?limit=1', { fields: { amount: 'x' } }), 'invalid_fields', [
      BAD_PARAMETER,
      ['amount', /finite number/],
      ['deal_name', 'Required field: deal_name'],
      ['deal_stage', 'Required field: deal_stage'],
      ['pipeline', 'Required field: pipeline'],
    ]);
  });

  it('is listed up to 100, then counted, wherever it stands [contract 1]', async () => {
    const names = (prefix: string, count: number): string[] =>
      Array.from({ length: count }, (_, index) => `${prefix}${index}`);
    const query = names('q', 40).map((name) => `${name}=1`).join('&'); // prettier-ignore
    const body = {
      fields: Object.fromEntries(names('f', 90).map((name) => [name, 1])),
      ...Object.fromEntries(names('k', 30).map((name) => [name, 1])),
    };
    const { status, body: error } = await api.patch(`/contacts/${contact}?${query}&properties=p0,p1`, body);
    expect({ status, code: error.code, omitted: error.errors_omitted }).toEqual({
      status: 400,
      code: 'invalid_fields',
      omitted: 62,
    });
    expect(error.errors.map(({ field }: { field: string }) => field)).toEqual([
      ...names('q', 40),
      ...names('k', 30),
      'properties',
      'properties',
      ...names('f', 28),
    ]);
    expect(error.message).toMatch(/\(and 161 more\)$/);
    expect(error).not.toHaveProperty('field');
  });

  it('is apart from what is wrong with the path [contract 1]', async () => {
    expectAll(await api.patch(`/contacts/${UNKNOWN_ID}`, { fields: { foo: 1 }, bar: 1 }), 'invalid_fields', [
      BAD_KEY,
      ['foo', 'Unknown field: foo'],
    ]);
    expectError(await api.patch(`/contacts/${UNKNOWN_ID}`, { fields: {} }), 404, {
      message: 'Contact not found',
    });
  });

  it('is said of the configuration that the account has by now [contract 1]', async () => {
    const field = { object_type: 'contacts', internal_name: 'late', type: 'string' };
    expectAll(
      await api.post('/contacts', { fields: { first_name: 'Ada', late: 'x' }, bar: 1 }),
      'invalid_fields',
      [BAD_KEY, ['late', 'Unknown field: late']],
    );
    await account.apply({ fields: [field] });
    expectAll(
      await api.post('/contacts', { fields: { first_name: 'Ada', late: 'x' }, bar: 1 }),
      'invalid_request',
      [BAD_KEY],
    );
  });
});

describe('All that is wrong with a read', () => {
  it('is in one answer for a list of records [2.3, 4.2, contract 1]', async () => {
    const query = '?limit=0&offset=x&archived=1&properties=bogus&sort=id';
    expectAll(await api.get(`/contacts${query}`), 'invalid_request', [
      ['sort', /^Unknown query parameter: sort/],
      ['limit', 'limit must be an integer from 1 to 100'],
      ['offset', 'offset must be an integer of 0 or more'],
      ['archived', 'archived must be true or false'],
      BAD_PROPERTY,
    ]);
  });

  it('is in one answer for one record [2.3, contract 1]', async () => {
    expectAll(await api.get(`/contacts/${contact}${QUERY}`), 'invalid_request', [
      BAD_PARAMETER,
      BAD_PROPERTY,
    ]);
  });

  it.each(['/contacts', '/routers', '/assignments'])(
    'has a cursor that does not go with an offset among it: %s [contract 1]',
    async (path) => {
      const after = Buffer.alloc(16).toString('base64url');
      expectAll(await api.get(`${path}?after=${after}&offset=5&limit=0&x=1`), 'invalid_request', [
        ['x', /^Unknown query parameter: x/],
        ['limit', 'limit must be an integer from 1 to 100'],
        ['after', 'after cannot be sent together with an offset'],
      ]);
    },
  );
});

describe('All that is wrong with a dispatch', () => {
  const PARAMETER: Failure = ['x', /^Unknown query parameter: x/];

  it('is in one answer [contract 1, contract 4]', async () => {
    expectAll(await api.post('/dispatch/router?x=1', { router_id: 7, foo: 1 }), 'invalid_request', [
      PARAMETER,
      ['foo', 'Unknown key: foo (allowed: router_id, object_id)'],
      ['router_id', 'router_id must be a string'],
      ['object_id', 'object_id is required'],
    ]);
    expectAll(await api.post('/dispatch/router?x=1', 'no object'), 'invalid_request', [
      PARAMETER,
      [undefined, 'The body must be a JSON object'],
    ]);
  });

  it('is in one answer to a batch [contract 1, contract 6]', async () => {
    expectAll(await api.post('/dispatch/batch?x=1', { object_ids: [], foo: 1 }), 'invalid_request', [
      PARAMETER,
      ['foo', 'Unknown key: foo (allowed: router_id, object_ids)'],
      ['router_id', 'router_id is required'],
      ['object_ids', 'object_ids must name 1 to 100 objects'],
    ]);
  });

  it('is in one answer to a simulation, failing fields included [contract 1, contract 6]', async () => {
    const at: Failure = ['at', 'at must be an ISO 8601 date and time'];
    const either: Failure = [undefined, 'Send either object_id or fields'];
    const both = { router_id: routerId, object_id: contact, fields: FIELDS, at: 'now', foo: 1 };
    expectAll(await api.post('/dispatch/simulate?x=1', both), 'invalid_fields', [
      PARAMETER,
      ['foo', /^Unknown key: foo \(allowed: router_id, /],
      at,
      either,
      ...BAD_FIELDS,
    ]);
    expectAll(await api.post('/dispatch/simulate', { ...both, router_id: UNKNOWN_ID }), 'invalid_request', [
      ['foo', /^Unknown key: foo \(allowed: router_id, /],
      at,
      either,
    ]);
    const strange = { router_id: { toString: 1, constructor: 2 }, fields: FIELDS };
    expectAll(await api.post('/dispatch/simulate', strange), 'invalid_request', [
      ['router_id', 'router_id must be a string'],
    ]);
    expectAll(await api.post('/dispatch/simulate', { fields: 'x', at: 'now' }), 'invalid_request', [
      ['router_id', 'router_id is required'],
      ['fields', 'fields must be an object of field names and values'],
      at,
    ]);
    expectAll(await api.post('/dispatch/simulate?x=1', []), 'invalid_request', [
      PARAMETER,
      [undefined, 'The body must be a JSON object'],
    ]);
  });
});

describe('All that is wrong with a token request', () => {
  it('is in one answer, with the word of RFC 6749 [contract 1, contract 2]', async () => {
    const answer = await service.anonymous.post('/oauth2/token?x=1', {
      grant_type: 'password',
      client_id: 7,
    });
    const { status, body } = answer;
    expect({ status, code: body.code, word: body.error_code }).toEqual({
      status: 400,
      code: 'unsupported_grant_type',
      word: 'unsupported_grant_type',
    });
    expect(body.errors).toEqual([
      { field: 'grant_type', message: 'grant_type must be client_credentials' },
      { field: 'x', message: 'Unknown query parameter: x (this route takes none)' },
      { field: 'client_id', message: 'client_id must be a string, sent once' },
      { field: 'client_secret', message: 'client_secret is required' },
    ]);
    const both = await service.anonymous.post('/oauth2/token?x=1', [], {
      headers: { Authorization: 'Basic !' },
    });
    expect(both.body.errors.map(({ message }: { message: string }) => message)).toEqual([
      'Unknown query parameter: x (this route takes none)',
      'The body must be a form or a JSON object',
      'The Authorization header must be HTTP Basic with client_id:client_secret',
    ]);
  });
});

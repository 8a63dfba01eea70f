import type { ApiClient } from '../support/api-client.js';
import { expectError, expectInvalid } from '../support/error-object.js';
import { guardService } from '../support/guard-service.js';
import { USERS } from '../support/record-types.js';
import { TestService } from '../support/test-service.js';

const CUSTOM = `fields: [
  { object_type: contacts, internal_name: a_string, type: string },
  { object_type: contacts, internal_name: a_number, type: number },
  { object_type: contacts, internal_name: a_bool, type: bool },
  { object_type: contacts, internal_name: a_datetime, type: datetime },
  { object_type: contacts, internal_name: a_user, type: user },
  { object_type: contacts, internal_name: an_enumeration, type: enumeration, options: [{ internal_name: emea }] }]`;

let service: TestService;
let api: ApiClient;
let id: string;

beforeAll(async () => {
  service = await TestService.shared();
  await service.apply(`accounts: [{ slug: acme, ${USERS}, ${CUSTOM} }]`);
  api = await service.login('acme');
  id = (await api.post('/contacts', { fields: { first_name: 'Ada' } })).body.id;
});
afterAll(() => service.stop());

const FIELDS = [
  'first_name',
  'email',
  'external_id',
  'website_url',
  'lead_source',
  'contact_owner',
  'a_string',
  'a_number',
  'a_bool',
  'a_datetime',
  'a_user',
  'an_enumeration',
];

/** JSON as it is sent. It is not made by JSON.stringify, so that escapes do not change. */
const UNSTORABLE: [name: string, json: string][] = [
  ['NUL', '"a\\u0000b"'],
  ['only NUL', '"\\u0000"'],
  ['a lone high surrogate', '"a\\ud800b"'],
  ['a lone low surrogate', '"\\udc00"'],
  ['surrogates in the wrong order', '"\\udc00\\ud800"'],
  ['a high surrogate at the end', '"emea\\ud83d"'],
  ['an object', '{"$ne": null}'],
  ['an array', '["Ada"]'],
  ['an empty object', '{}'],
  ['an empty array', '[]'],
  ['a nested array', '[[[[[[[[["Ada"]]]]]]]]]'],
  ['an object with toString', '{"toString": "x", "valueOf": "y"}'],
  ['an object with __proto__', '{"__proto__": {"length": 3}, "length": 3}'],
  ['1e400', '1e400'],
  ['-1e400', '-1e400'],
  ['a number of 400 digits', '9'.repeat(400)],
  ['70,000 characters', `"${'x'.repeat(70_000)}"`],
  ['70,000 characters outside the first plane', `"${'👋'.repeat(70_000)}"`],
];

describe.each(FIELDS)('The field %s refuses', (name) => {
  guardService(() => service);

  it.each(UNSTORABLE)('%s: 400 naming it [2.6, 7, contract 1]', async (_, json) => {
    for (const [method, path] of [
      ['POST', '/contacts'],
      ['PATCH', `/contacts/${id}`],
    ] as const) {
      const first = name === 'first_name' ? '' : '"first_name": "Ada", ';
      const response = await api.request(method, path, undefined, {
        raw: `{"fields": {${first}"${name}": ${json}}}`,
      });
      expectInvalid(response, [name, new RegExp(name)]);
      expect(JSON.stringify(response.body).length).toBeLessThan(1000);
    }
  });
});

describe('Text that is too long', () => {
  guardService(() => service);

  it.each([
    ['contacts', 'email', `${'x'.repeat(3000)}@example.com`],
    ['contacts', 'email', `${'x'.repeat(512)}@example.com`],
    ['contacts', 'email', '世'.repeat(3000)],
    ['contacts', 'external_id', 'x'.repeat(3000)],
    ['deals', 'external_id', '👋'.repeat(513)],
    ['companies', 'website_url', `${'x'.repeat(3000)}.example`],
    ['companies', 'website_url', `https://${'a.'.repeat(30_000)}example`],
    ['companies', 'website_url', `${'x'.repeat(64)}.example`],
    ['contacts', 'first_name', 'x'.repeat(65_537)],
    ['contacts', 'a_string', 'x'.repeat(900_000)],
  ])('is refused in %s.%s [2.6, 7]', async (type, name, value) => {
    const minimal = {
      contacts: { last_name: 'Ada' },
      companies: { company_name: 'Acme' },
      deals: { deal_name: 'A', deal_stage: 'new', pipeline: 'default' },
    }[type];
    const response = await api.post(`/${type}`, { fields: { ...minimal, [name]: value } });
    expectInvalid(response, [name, new RegExp(name)]);
    expect(JSON.stringify(response.body).length).toBeLessThan(1000);
  });

  it('is refused in numbers and dates as well [2.6, 7]', async () => {
    for (const name of ['a_number', 'a_datetime']) {
      for (const value of [
        '1'.repeat(100_000),
        `${' '.repeat(100_000)}1`,
        `2026-03-01${'0'.repeat(100_000)}`,
      ]) {
        const response = await api.patch(`/contacts/${id}`, { fields: { [name]: value } });
        expectInvalid(response, [name, new RegExp(name)]);
      }
    }
  });
});

describe('Values that look like something else', () => {
  it.each([
    "'; DROP TABLE records; --",
    "Robert'); DELETE FROM records WHERE ('1'='1",
    '{{constructor.constructor("return process")()}}',
    '${process.exit(1)}',
    '<script>alert(1)</script>',
    '../../etc/passwd',
    '%00%0a%0d',
    '\\u0000 \\ud800 spelled out',
    '__proto__',
    'constructor',
    'null',
    'undefined',
    'a\r\nX-Injected: yes',
    '\u202egnp.exe',
    '\ufeffBOM',
    '\u0001\u001f\u007f\u0085',
    '👩‍👩‍👧‍👦',
    'e\u0301 is not é',
    'a\u2028\u2029b',
    '$1 $2 ? :name @name',
    'a b',
  ])('are text: %j [2.2, 2.6]', async (value) => {
    const fields = { first_name: value, a_string: value, external_id: `<${value}>` };
    const { status, body } = await api.post('/contacts?properties=a_string', { fields });
    expect(status).toBe(201);
    expect(body).toMatchObject(fields);
    expect((await api.get(`/contacts/${body.id}?properties=a_string`)).body).toEqual(body);
  });

  it('long text is stored up to the limit, whatever the script [2.6]', async () => {
    const values = [
      ['email', `${'x'.repeat(500)}@example.com`],
      ['external_id', '世'.repeat(512)],
      ['first_name', 'x'.repeat(16_384)],
      ['last_name', '👋'.repeat(4_096)],
    ] as const;
    for (const [name, value] of values) {
      const { status, body } = await api.post('/contacts', { fields: { first_name: 'Ada', [name]: value } });
      expect(status).toBe(201);
      expect(body[name] === value).toBe(true);
    }
  });

  it('-0 is zero, and big integers keep their digits [2.6, contract 3]', async () => {
    const raw = '{"fields": {"first_name": -0, "a_string": 12345678901234567890, "a_number": -0.0}}';
    const { status, body } = await api.post('/contacts?properties=a_string,a_number', undefined, { raw });
    expect(status).toBe(201);
    expect(body).toMatchObject({ first_name: '0', a_string: '12345678901234567890', a_number: '0' });
  });

  it('of two values for one key the last one counts, as JSON has it [2.4]', async () => {
    const raw = '{"fields": {"first_name": "one"}, "fields": {"first_name": "two", "first_name": "three"}}';
    const { status, body } = await api.post('/contacts', undefined, { raw });
    expect({ status, name: body.first_name }).toEqual({ status: 201, name: 'three' });
  });
});

describe('Very many failing fields', () => {
  guardService(() => service);

  it('are listed up to a hundred, and counted [2.6, contract 1]', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `unknown_${index}`);
    const response = await api.post('/contacts', {
      fields: Object.fromEntries(names.map((name) => [name, 1])),
    });
    expectError(response, 400, {
      message: 'Unknown field: unknown_0 (and 1000 more)',
      errors: names.slice(0, 100).map((field) => ({ field, message: `Unknown field: ${field}` })),
      errors_omitted: 901,
    });
  });
});

import type { ApiClient } from '../support/api-client.js';
import { expectError, expectInvalid, expectSomeError } from '../support/error-object.js';
import { guardService } from '../support/guard-service.js';
import { rawRequest } from '../support/raw-request.js';
import { RECORD_TYPES } from '../support/record-types.js';
import { TestService } from '../support/test-service.js';

/** Names that every object inherits, and names that the database or JavaScript use internally. */
const INHERITED = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
  'account_id',
  'unique_key',
  'then',
  'toJSON',
  'length',
  '0',
  '$where',
  "'; DROP TABLE records; --",
];

/** Names as JSON text, and a pattern for their form in an error message. */
const UNSHOWABLE: [name: string, json: string][] = [
  ['NUL', '\\u0000'],
  ['NUL behind a field’s name', 'first_name\\u0000'],
  ['a lone high surrogate', '\\ud800'],
  ['a lone low surrogate', 'a\\udfffb'],
  ['a line break', 'a\\r\\nX-Injected: yes'],
  ['10,000 characters', 'x'.repeat(10_000)],
  ['a pair of surrogates where it is cut', `${'x'.repeat(99)}${'👋'.repeat(200)}`],
  ['a pair of surrogates where it is cut, one on', `${'x'.repeat(98)}${'👋'.repeat(200)}`],
  ['500,000 characters', '世'.repeat(150_000)],
];

let service: TestService;
let api: ApiClient;
const ids: Record<string, string> = {};

beforeAll(async () => {
  service = await TestService.shared();
  api = await service.login('acme');
  for (const { type, minimal } of RECORD_TYPES) {
    ids[type] = (await api.post(`/${type}`, { fields: minimal })).body.id;
  }
});
afterAll(() => service.stop());

const escaped = (name: string): RegExp => new RegExp(name.replace(/[$*.;'-]/g, '\\$&'));

describe.each(RECORD_TYPES)('Names in requests of $type', ({ type, minimal }) => {
  guardService(() => service);

  const writes = (raw: string): Promise<any>[] => [
    api.post(`/${type}`, undefined, { raw }),
    api.patch(`/${type}/${ids[type]!}`, undefined, { raw }),
  ];
  const fieldsWith = (key: string, value: string): string =>
    `{"fields": {${JSON.stringify(minimal).slice(1, -1)}, "${key}": ${value}}}`;

  it.each(INHERITED)('the field %s is unknown [2.4, 7]', async (name) => {
    for (const value of ['"x"', 'null', '{}', '{"first_name": "x"}']) {
      for (const response of writes(fieldsWith(name, value))) {
        expectInvalid(await response, [name, escaped(`Unknown field: ${name}`)]);
      }
    }
  });

  it.each(INHERITED)('the body key %s is unknown [2.4, contract 1]', async (name) => {
    for (const value of ['"x"', 'null', `{"fields": ${JSON.stringify(minimal)}}`]) {
      const raw = `{"${name}": ${value}, "fields": ${JSON.stringify(minimal)}}`;
      for (const response of writes(raw))
        expectInvalid(await response, [name, escaped(`Unknown key: ${name}`)]);
    }
    // The name is not accepted in place of `fields` either.
    const [post] = writes(`{"${name}": {"fields": ${JSON.stringify(minimal)}}}`);
    expectInvalid(await post, [name, /Unknown key/], ['fields', /fields/]);
  });

  it.each(INHERITED)('the query parameter %s is unknown [contract 1]', async (name) => {
    const query = `${encodeURIComponent(name)}=1`;
    for (const path of [`/${type}?${query}`, `/${type}/${ids[type]!}?${query}`]) {
      expectInvalid(await api.get(path), [name, escaped(`Unknown query parameter: ${name}`)]);
    }
    expectInvalid(await api.delete(`/${type}/${ids[type]!}?${query}`), [name, /Unknown query parameter/]);
    const nested = encodeURIComponent(`limit[${name}]`);
    expectInvalid(await api.get(`/${type}?${nested}=1`), [`limit[${name}]`, /Unknown query parameter/]);
  });

  it.each(INHERITED)('the property %s is invalid [2.3, 7]', async (name) => {
    const query = `properties=${encodeURIComponent(name)}`;
    for (const path of [`/${type}?${query}`, `/${type}/${ids[type]!}?${query}`]) {
      expectInvalid(await api.get(path), ['properties', escaped(name)]);
    }
  });

  it.each(INHERITED)('the id %s is unknown [contract 1]', async (name) => {
    const path = `/${type}/${encodeURIComponent(name)}`;
    expectSomeError(await api.get(path), 404);
    expectSomeError(await api.patch(path, { fields: {} }), 404);
    expectSomeError(await api.delete(path), 404);
  });

  it.each(UNSHOWABLE)(
    'a field named with %s is unknown, and not repeated as it is [2.4, 7]',
    async (_, name) => {
      for (const promise of writes(fieldsWith(name, '"x"'))) {
        const response = await promise;
        expectInvalid(response, [expect.any(String), /^Unknown field: /]);
        expect(JSON.stringify(response.body).length).toBeLessThan(1000);
      }
    },
  );

  it.each(UNSHOWABLE)(
    'a body key with %s is unknown, and not repeated as it is [2.4, contract 1]',
    async (_, name) => {
      for (const promise of writes(`{"fields": ${JSON.stringify(minimal)}, "${name}": 1}`)) {
        const response = await promise;
        expectInvalid(response, [expect.any(String), /^Unknown key: /]);
        expect(JSON.stringify(response.body).length).toBeLessThan(1000);
      }
    },
  );

  it.each([
    ['NUL', '%00'],
    ['bytes that are no UTF-8', '%ff%fe'],
    ['half a character', '%E0%A4%A'],
    ['a surrogate in UTF-8', '%ed%a0%80'],
    ['a percent sign', '%'],
    ['a bad escape', '%zz'],
    ['a line break', '%0d%0aX-Injected:%20yes'],
    ['5,000 characters', 'x'.repeat(5000)],
    ['pairs of surrogates where it is cut', `${'x'.repeat(99)}${encodeURIComponent('👋'.repeat(50))}`],
    [
      'pairs of surrogates where it is cut, one on',
      `${'x'.repeat(98)}${encodeURIComponent('👋'.repeat(50))}`,
    ],
    ['brackets', '%5B%5D'],
  ])('a query parameter or property named with %s is refused [2.3, 7, contract 1]', async (_, name) => {
    for (const path of [`/${type}`, `/${type}/${ids[type]!}`]) {
      const unknown = await rawRequest(api, 'GET', `${path}?${name}=1`);
      expectInvalid(unknown, [expect.any(String), /^Unknown query parameter: /]);
      const property = await rawRequest(api, 'GET', `${path}?properties=${name}`);
      expectInvalid(property, ['properties', /./]);
      const value = await rawRequest(api, 'GET', `/${type}?limit=${name}`);
      expectInvalid(value, ['limit', /limit/]);
      for (const { text } of [unknown, property, value]) expect(text.length).toBeLessThan(1500);
    }
  });

  it('a hundred of a thousand bad properties are listed [2.3, contract 1]', async () => {
    const names = Array.from({ length: 1000 }, (__, index) => `no_${index}`);
    const response = await api.get(`/${type}?properties=${names.join(',')}`);
    expectError(response, 400, {
      message: 'Invalid property: no_0 (and 999 more)',
      errors: names
        .slice(0, 100)
        .map((name) => ({ field: 'properties', message: `Invalid property: ${name}` })),
      errors_omitted: 900,
    });
  });
});

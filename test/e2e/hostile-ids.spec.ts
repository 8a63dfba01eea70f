import type { ApiClient } from '../support/api-client.js';
import { expectError, expectSomeError } from '../support/error-object.js';
import { guardService } from '../support/guard-service.js';
import { rawRequest } from '../support/raw-request.js';
import { RECORD_TYPES, UNKNOWN_ID } from '../support/record-types.js';
import { TestService } from '../support/test-service.js';

let service: TestService;
let api: ApiClient;
let id: string;

beforeAll(async () => {
  service = await TestService.shared();
  api = await service.login('acme');
  for (const { type, minimal } of RECORD_TYPES) {
    const { body } = await api.post(`/${type}`, { fields: minimal });
    if (type === 'contacts') id = body.id;
  }
});
afterAll(() => service.stop());

const WORDS = [
  'x',
  '1',
  '-1',
  '0',
  'null',
  'undefined',
  'NaN',
  'true',
  '*',
  '%2A',
  '%20',
  '%00',
  '%0a',
  '%0d%0aX-Injected:%20yes',
  '%E0%A4%A',
  '%E0%A4',
  '%ff',
  '%',
  '%%',
  '%zz',
  '%ed%a0%80',
  '%F0%9F%91%8B',
  '%2F',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '%5C',
  "'",
  '%22',
  "1'%20OR%20'1'='1",
  "'%20UNION%20SELECT%20*%20FROM%20api_clients--",
  '1;DROP%20TABLE%20records',
  '$1',
  '{}',
  '[object%20Object]',
  '%7B%22$gt%22:%22%22%7D',
  '__proto__',
  'constructor',
  UNKNOWN_ID,
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'x'.repeat(8000),
  '9'.repeat(5000),
  '%F0%9F%91%8B'.repeat(1000),
];

/** Texts that are similar to the id of a record. */
const ALMOST: [name: string, change: (id: string) => string][] = [
  ['a blank before it', (text) => `%20${text}`],
  ['a blank behind it', (text) => `${text}%20`],
  ['a NUL behind it', (text) => `${text}%00`],
  ['a line break behind it', (text) => `${text}%0a`],
  ['braces around it', (text) => `{${text}}`],
  ['quotes around it', (text) => `%22${text}%22`],
  ['no hyphens', (text) => text.replaceAll('-', '')],
  ['a digit less', (text) => text.slice(0, -1)],
  ['a digit more', (text) => `${text}0`],
  ['another last digit', (text) => text.slice(0, -1) + (text.endsWith('0') ? '1' : '0')],
  ['a prefix', (text) => `urn:uuid:${text}`],
  ['a comma and a second one', (text) => `${text},${text}`],
  ['a comment behind it', (text) => `${text}--`],
  ['a slash inside', (text) => text.replace('-', '%2F')],
];

describe.each(RECORD_TYPES)('Ids of $type', ({ type, singular }) => {
  guardService(() => service);

  const message = `${singular.charAt(0).toUpperCase()}${singular.slice(1)} not found`;

  async function expectUnknown(item: string): Promise<void> {
    const headers = { 'Content-Type': 'application/json' };
    const path = `/${type}/${item}`;
    expectError(await rawRequest(api, 'GET', path), 404, { message });
    expectError(await rawRequest(api, 'PATCH', path, { headers, body: '{"fields": {}}' }), 404, { message });
    expectError(await rawRequest(api, 'DELETE', path), 404, { message });
    const head = await rawRequest(api, 'HEAD', path);
    expect({ status: head.status, text: head.text }).toEqual({ status: 404, text: '' });
  }

  it.each(WORDS)('%s is unknown: 404, the same for all [contract 1]', async (item) => {
    await expectUnknown(item);
  });

  it.each(ALMOST)('%s makes an id unknown [contract 1]', async (_, change) => {
    await expectUnknown(change(id));
  });

  it('are asked for only with a token, however they look [5.2, 7, contract 1]', async () => {
    for (const item of [id, 'x', '%00', '%E0%A4%A', '%']) {
      const response = await rawRequest(service.anonymous, 'GET', `/${type}/${item}`);
      expectError(response, 401, { message: expect.stringMatching(/^Unauthorized/) });
    }
  });

  it('that are longer than a server reads are refused before any route [contract 1]', async () => {
    const response = await rawRequest(api, 'GET', `/${type}/${'x'.repeat(100_000)}`);
    expectError(response, 431, {
      message: 'The path and the headers are larger than 16384 bytes together',
    });
  });

  it('do not reach other routes by dots or slashes [contract 1]', async () => {
    for (const path of [
      `/${type}/../health/ready`,
      `/${type}/%2e%2e/routers`,
      `/${type}/x/${id}`,
      `/${type}//${id}`,
    ]) {
      expectSomeError(await rawRequest(api, 'GET', path), 404);
    }
  });
});

describe('The id of a record in upper case', () => {
  it('names the record, as UUIDs do, which is shown in lower case [4.4, contract 1]', async () => {
    expect(id.toUpperCase()).not.toBe(id);
    const { status, body } = await api.get(`/contacts/${id.toUpperCase()}?properties=record_id`);
    expect({ status, id: body.id, record_id: body.record_id }).toEqual({ status: 200, id, record_id: id });
  });
});

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { ApiClient } from '../support/api-client.js';
import { expectError, expectInvalid, expectSomeError } from '../support/error-object.js';
import { guardService } from '../support/guard-service.js';
import { rawRequest, type RawRequest, type RawResponse } from '../support/raw-request.js';
import { TestService } from '../support/test-service.js';

const JSON_TYPE = { 'Content-Type': 'application/json' };

let service: TestService;
let api: ApiClient;
let contact: string;
let deal: string;

beforeAll(async () => {
  service = await TestService.shared();
  api = await service.login('acme');
  const fields = { deal_name: 'A', deal_stage: 'new', pipeline: 'default' };
  deal = (await api.post('/deals', { fields })).body.id;
  contact = (await api.post('/contacts', { fields: { first_name: 'Ada' } })).body.id;
});
afterAll(() => service.stop());

/** Routes that take a body. */
const ROUTES: [name: string, method: string, path: () => string][] = [
  ['POST /contacts', 'POST', () => '/contacts'],
  ['POST /companies', 'POST', () => '/companies'],
  ['PATCH /contacts/{contactId}', 'PATCH', () => `/contacts/${contact}`],
  ['PATCH /deals/{dealId}', 'PATCH', () => `/deals/${deal}`],
];

describe.each(ROUTES)('%s refuses', (_, method, path) => {
  guardService(() => service);

  const send = (options: RawRequest): Promise<RawResponse> => rawRequest(api, method, path(), options);
  const sendJson = (body: string | Uint8Array): Promise<RawResponse> => send({ headers: JSON_TYPE, body });

  const MALFORMED: [name: string, body: string][] = [
    ['half an object', '{"fields": {"first_name": "Ada"'],
    ['no JSON', 'fields=1'],
    ['single quotes', "{'fields': {}}"],
    ['a trailing comma', '{"fields": {},}'],
    ['a comment', '{"fields": {}} // done'],
    ['two values', '{"fields": {}} {"fields": {}}'],
    ['NaN', '{"fields": {"first_name": NaN}}'],
    ['undefined', '{"fields": undefined}'],
    ['an unescaped line break', '{"fields": {"first_name": "a\nb"}}'],
    ['a bare NUL', '{"fields": {"first_name": "a\0b"}}'],
    ['a bad escape', '{"fields": {"first_name": "\\x41"}}'],
    ['half a unicode escape', '{"fields": {"first_name": "\\u00"}}'],
    ['only blanks', '   '],
    ['XML', '<fields/>'],
    ['a number with a leading zero', '{"fields": {"first_name": 01}}'],
  ];
  it.each(MALFORMED)('%s: 400 [7, contract 1]', async (_name, body) => {
    expectInvalid(await sendJson(body), [undefined, /JSON/]);
  });

  it('an empty body: 400 [2.4, 7, contract 1]', async () => {
    expectInvalid(await send({}), [undefined, /object/]);
    expectInvalid(await send({ headers: JSON_TYPE }), ['fields', /fields/]);
    expectInvalid(await send({ headers: { ...JSON_TYPE, 'Content-Length': '0' } }), ['fields', /fields/]);
    expectInvalid(await send({ headers: JSON_TYPE, body: '', chunked: true }), ['fields', /fields/]);
  });

  it.each(['[]', '[{"fields": {}}]', '"fields"', '""', '0', '1', 'true', 'false', 'null'])(
    'the body %s, which is no object: 400 [2.4, 7]',
    async (body) => {
      expectInvalid(await sendJson(body), [undefined, /object/]);
    },
  );

  it.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'application/octet-stream',
    'nonsense',
    '*/*',
    '',
  ])('the media type "%s": 415 [contract 1]', async (type) => {
    const body = '{"fields": {"first_name": "Ada", "description": "x"}}';
    const response = await send({ headers: { 'Content-Type': type }, body });
    expectError(response, 415, { message: expect.stringContaining('application/json') });
  });

  it('a body without a media type: 415 [contract 1]', async () => {
    const body = '{"fields": {}}';
    for (const chunked of [false, true]) {
      expectError(await send({ body, chunked }), 415, {
        message: expect.stringContaining('application/json'),
      });
    }
  });

  it.each(['utf-16', 'utf-16le', 'utf-32', 'utf-7', 'iso-8859-1', 'nonsense'])(
    'the charset %s: 415 [contract 1]',
    async (charset) => {
      const response = await send({
        headers: { 'Content-Type': `application/json; charset=${charset}` },
        body: '{}',
      });
      expectError(response, 415, { message: expect.any(String) });
    },
  );

  it.each(['compress', 'nonsense', 'gzip, gzip'])(
    'the content encoding %s: 415 [contract 1]',
    async (encoding) => {
      const response = await send({
        headers: { ...JSON_TYPE, 'Content-Encoding': encoding },
        body: '{"fields":{}}',
      });
      expectError(response, 415, { message: expect.any(String) });
    },
  );

  it('what calls itself compressed and is not: 400 [7, contract 1]', async () => {
    for (const encoding of ['gzip', 'deflate', 'br']) {
      const headers = { ...JSON_TYPE, 'Content-Encoding': encoding };
      const whole = gzipSync('{"fields":{}}');
      for (const body of ['{"fields":{}}', whole.subarray(0, whole.length - 9)]) {
        expectInvalid(await send({ headers, body }), [undefined, `The body does not inflate as ${encoding}`]);
      }
    }
  });

  it.each([
    [
      'arrays in a field',
      (depth: number) => `{"fields": {"first_name": ${'['.repeat(depth)}${']'.repeat(depth)}}}`,
    ],
    ['objects in a field', (depth: number) => `{"fields": ${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`],
    ['arrays', (depth: number) => '['.repeat(depth) + ']'.repeat(depth)],
    ['open brackets', (depth: number) => '['.repeat(depth)],
    ['an unknown key', (depth: number) => `{"fields": {}, "x": ${'['.repeat(depth)}${']'.repeat(depth)}}`],
  ])('deep nesting of %s: 400 [7, contract 1]', async (_name, nested) => {
    for (const depth of [1, 10, 30, 40, 1000, 100_000, 170_000]) {
      const response = await sendJson(nested(depth));
      expectSomeError(response, 400);
      expect(response.text.length).toBeLessThan(1000);
    }
  });

  it('200,000 levels of nesting: 400 [7, contract 1]', async () => {
    const response = await sendJson(`{"fields":${'['.repeat(200_000)}${']'.repeat(200_000)}}`);
    expectInvalid(response, [undefined, /deep/]);
  });

  it('bytes that are no UTF-8: 400 [7, contract 1]', async () => {
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf0, 0x9f], [0xc0, 0x80]]) {
      const [start, end] = ['{"fields": {"first_name": "', '"}}'].map((text) => Buffer.from(text));
      expectInvalid(await sendJson(Buffer.concat([start!, Buffer.from(bytes), end!])), [undefined, /UTF-8/]);
      expectInvalid(
        await sendJson(Buffer.concat([Buffer.from('{"'), Buffer.from(bytes), Buffer.from('": 1}')])),
        [undefined, /UTF-8/],
      );
    }
  });

  it('more than 1 MiB, however it is sent: 413 [contract 1]', async () => {
    const limit = 1024 * 1024;
    const body = `{"fields": {"first_name": "${'x'.repeat(limit)}"}}`;
    const message = expect.stringContaining('1048576');
    expectError(await sendJson(body), 413, { message });
    expectError(await send({ headers: JSON_TYPE, body, chunked: true }), 413, { message });
    for (const [encoding, compress] of [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ] as const) {
      const headers = { ...JSON_TYPE, 'Content-Encoding': encoding };
      expectError(await send({ headers, body: compress(body) }), 413, { message });
    }
    // A body that is one byte shorter than the limit is read, and refused for another reason.
    const start = '{"fields": {"nickname": "';
    const full = `${start}${'x'.repeat(limit - start.length - 3)}"}}`;
    expect(Buffer.byteLength(full)).toBe(limit);
    expect((await sendJson(full)).status).toBe(400);
    expect((await sendJson(`${full} `)).status).toBe(413);
  });
});

describe('A body is read', () => {
  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('compressed with %s [2.4, contract 1]', async (encoding, compress) => {
    const response = await rawRequest(api, 'POST', '/contacts', {
      headers: { ...JSON_TYPE, 'Content-Encoding': encoding },
      body: compress(JSON.stringify({ fields: { first_name: `Zoë ${encoding}` } })),
    });
    expect({ status: response.status, name: response.body.first_name }).toEqual({
      status: 201,
      name: `Zoë ${encoding}`,
    });
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ])('as %s [2.4, contract 1]', async (type) => {
    const body = '{"fields": {"first_name": "Grüße 👋 \\u4e16"}}';
    for (const chunked of [false, true]) {
      const options = { headers: { 'Content-Type': type }, body, chunked };
      const response = await rawRequest(api, 'POST', '/contacts', options);
      expect({ status: response.status, name: response.body.first_name }).toEqual({
        status: 201,
        name: 'Grüße 👋 世',
      });
    }
  });
});

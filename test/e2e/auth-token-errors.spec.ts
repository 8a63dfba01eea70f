// A service of its own: it has another limit of bodies, and failed attempts of an address are counted.
import { gzipSync } from 'node:zlib';
import type { ClientCredentials } from '../../src/management/index.js';
import type { ApiResponse } from '../support/api-client.js';
import { rawRequest } from '../support/raw-request.js';
import { TestService } from '../support/test-service.js';
import { blaming, expectTokenError } from '../support/token-error.js';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const BOTH = 'Send credentials in the body or as HTTP Basic, not both';
const NOT_BASIC = 'The Authorization header must be HTTP Basic with client_id:client_secret';

let service: TestService;
let client: ClientCredentials;
let id: string;
let secret: string;

beforeAll(async () => {
  service = await TestService.start({ bodyLimit: '64kb' });
  client = await service.createClient('acme');
  ({ clientId: id, clientSecret: secret } = client);
});
afterAll(() => service.stop());

const basicOf = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;

function postForm(raw: string, headers: Record<string, string> = {}): Promise<ApiResponse> {
  return service.anonymous.post('/oauth2/token', undefined, { raw, headers: { ...FORM, ...headers } });
}

describe('a token request that is malformed', () => {
  it.each(['password', 'authorization_code', 'refresh_token', 'CLIENT_CREDENTIALS', ' client_credentials'])(
    'is refused with the grant type %j [4.1, 5.4, contract 2]',
    async (grant) => {
      const message = 'grant_type must be client_credentials';
      const values = { grant_type: grant, client_id: id, client_secret: secret };
      const expected = blaming('grant_type', message);
      expectTokenError(
        await postForm(new URLSearchParams(values).toString()),
        'unsupported_grant_type',
        message,
        expected,
      );
      const json = await service.anonymous.post('/oauth2/token', values);
      expectTokenError(json, 'unsupported_grant_type', message, expected);
    },
  );

  it.each([
    ['a form without a secret', () => `client_id=${id}`, ['client_secret']],
    ['a form without an id', () => `client_secret=${secret}`, ['client_id']],
    ['an empty secret', () => `client_id=${id}&client_secret=`, ['client_secret']],
    ['an empty form', () => '', ['client_id', 'client_secret']],
    [
      'a form with nothing but a grant',
      () => 'grant_type=client_credentials',
      ['client_id', 'client_secret'],
    ],
  ])('is refused without credentials: %s [4.1, contract 2]', async (_, form, missing) => {
    const errors = missing.map((field) => ({ field, message: `${field} is required` }));
    const more = missing.length > 1 ? ' (and 1 more)' : '';
    expectTokenError(await postForm(form()), 'invalid_request', `${missing[0]} is required${more}`, {
      errors,
      ...(missing.length > 1 ? {} : { field: missing[0]! }),
    });
  });

  it('is refused without a body [4.1, contract 2]', async () => {
    const response = await service.anonymous.post('/oauth2/token');
    expectTokenError(response, 'invalid_request', 'client_id is required (and 1 more)', {
      errors: ['client_id', 'client_secret'].map((field) => ({ field, message: `${field} is required` })),
    });
  });

  it.each([
    ['both credentials', () => `client_id=${id}&client_secret=${secret}`],
    ['another id', () => `client_id=${id}x`],
    ['the secret alone', () => `client_secret=${secret}`],
  ])('is refused with Basic and the body carrying %s [contract 2]', async (_, form) => {
    const headers = { Authorization: basicOf(`${id}:${secret}`) };
    expectTokenError(await postForm(form(), headers), 'invalid_request', BOTH, {
      errors: [{ message: BOTH }],
    });
    const json = Object.fromEntries(new URLSearchParams(form()));
    const response = await service.anonymous.post('/oauth2/token', json, { headers });
    expectTokenError(response, 'invalid_request', BOTH, { errors: [{ message: BOTH }] });
  });

  it.each([
    ['no colon', () => basicOf(id)],
    ['no secret', () => basicOf(`${id}:`)],
    ['no id', () => basicOf(`:${secret}`)],
    ['nothing encoded', () => 'Basic'],
    ['no base64', () => 'Basic %%%'],
    ['a broken percent escape', () => basicOf(`${id}:%zz`)],
    ['another scheme', () => `Bearer ${secret}`],
  ])('is refused with an Authorization header of %s [contract 2]', async (_, header) => {
    const response = await postForm('', { Authorization: header() });
    expectTokenError(response, 'invalid_request', NOT_BASIC, { errors: [{ message: NOT_BASIC }] });
  });

  it.each(['grant_type', 'client_id', 'client_secret', 'scope'])(
    'is refused when it repeats %s [contract 2]',
    async (name) => {
      const values: Record<string, string> = {
        grant_type: 'client_credentials',
        client_id: id,
        client_secret: secret,
        scope: 'dispatch',
      };
      const form = new URLSearchParams(values);
      form.append(name, values[name] ?? '');
      const message = `${name} must be a string, sent once`;
      expectTokenError(await postForm(form.toString()), 'invalid_request', message, blaming(name, message));
      for (const value of [[values[name]], { a: 1 }, 7, true, null]) {
        const json = await service.anonymous.post('/oauth2/token', { ...values, [name]: value });
        expectTokenError(json, 'invalid_request', message, blaming(name, message));
      }
    },
  );

  it.each(['username', 'audience', 'constructor', 'toString', '__proto__', 'client_id[]', ''])(
    'ignores the unknown parameter %j [contract 2]',
    async (name) => {
      const form = `client_id=${id}&client_secret=${secret}&${encodeURIComponent(name)}=x`;
      expect((await postForm(form)).status).toBe(200);
      const raw = `{"client_id":"${id}","client_secret":"${secret}",${JSON.stringify(name)}:"x"}`;
      expect((await service.anonymous.post('/oauth2/token', undefined, { raw })).status).toBe(200);
    },
  );

  it('is answered with every parameter that fails [contract 1]', async () => {
    const response = await postForm(`client_id=${id}&a=1&scope=x&scope=y`);
    expectTokenError(response, 'invalid_request', 'scope must be a string, sent once (and 1 more)', {
      errors: [
        { field: 'scope', message: 'scope must be a string, sent once' },
        { field: 'client_secret', message: 'client_secret is required' },
      ],
    });
  });

  it('is refused with a query parameter, credentials most of all [contract 1, contract 2]', async () => {
    for (const query of ['verbose=1', `client_id=${id}&client_secret=${secret}`]) {
      const { status, headers, body } = await service.anonymous.post(`/oauth2/token?${query}`, {
        client_id: id,
        client_secret: secret,
      });
      expect(status).toBe(400);
      expect(body).toMatchObject({ error: true, error_code: 'invalid_request' });
      expect(body.error_description).toBe(body.message);
      expect(body.errors.map(({ field }: { field: string }) => field)).toEqual([
        ...new URLSearchParams(query).keys(),
      ]);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(JSON.stringify(body)).not.toContain(secret);
    }
  });

  it.each(['{', '{"client_id":', 'client_id=1'])(
    'is refused with the JSON %j [7, contract 1]',
    async (raw) => {
      const message = 'The body is not valid JSON';
      const response = await service.anonymous.post('/oauth2/token', undefined, { raw });
      expectTokenError(response, 'invalid_request', message, { errors: [{ message }] });
    },
  );

  it.each(['[]', '"client_credentials"', 'null', '7'])(
    'is refused with the body %s [contract 2]',
    async (raw) => {
      const message = 'The body must be a form or a JSON object';
      const response = await service.anonymous.post('/oauth2/token', undefined, { raw });
      expectTokenError(response, 'invalid_request', message, { errors: [{ message }] });
    },
  );

  it.each(['text/plain', 'multipart/form-data; boundary=x', 'application/xml', 'application/jsonp'])(
    'is refused with the media type %s [contract 1, contract 2]',
    async (type) => {
      const response = await postForm(`client_id=${id}&client_secret=${secret}`, { 'Content-Type': type });
      const message = 'The Content-Type must be application/x-www-form-urlencoded or application/json';
      expectTokenError(response, 'invalid_request', message, { status: 415 });
    },
  );

  it('is refused when it is larger than 8 KiB, or compressed [contract 1]', async () => {
    const large = await postForm(`client_id=${id}&client_secret=${'x'.repeat(8 * 1024)}`);
    expectTokenError(large, 'invalid_request', 'The body is larger than 8192 bytes', { status: 413 });
    const body = gzipSync(`client_id=${id}&client_secret=${secret}`);
    const headers = { ...FORM, 'Content-Encoding': 'gzip' };
    const compressed = await rawRequest(service.anonymous, 'POST', '/oauth2/token', { headers, body });
    const message = 'The body must not be compressed here';
    expectTokenError(compressed, 'invalid_request', message, { status: 415 });
  });

  it('is refused with two Authorization headers [contract 2]', async () => {
    const headers = { Authorization: [basicOf(`${id}:${secret}`), basicOf(`${id}:${secret}`)] };
    const response = await rawRequest(service.anonymous, 'POST', '/oauth2/token', { headers });
    const message = 'The Authorization header must be sent once';
    expectTokenError(response, 'invalid_request', message, { errors: [{ message }] });
  });

  it('may repeat the id of Basic in the body [contract 2]', async () => {
    const headers = { Authorization: basicOf(`${id}:${secret}`) };
    expect((await postForm(`client_id=${id}`, headers)).status).toBe(200);
  });

  it.each(['GET', 'PUT', 'DELETE', 'PATCH'])('is refused under %s [4.1, contract 1]', async (method) => {
    const response = await rawRequest(service.anonymous, method, '/oauth2/token');
    const message = `${method} is not allowed here; allowed: POST`;
    expectTokenError(response, 'invalid_request', message, { status: 405 });
    expect(response.headers.get('allow')).toBe('POST');
  });
});

// Services of its own for tokens that live for other times.
import type { ClientCredentials } from '../../src/management/index.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { decodeToken } from '../support/forge-token.js';
import { TestService } from '../support/test-service.js';

const DEFAULT_SCOPE = 'records:read records:write routers:read directory:read dispatch';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let service: TestService;
let client: ClientCredentials;

beforeAll(async () => {
  service = await TestService.shared();
  client = await service.createClient('acme');
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => service.stop());

const inBody = (): Record<string, string> => ({
  client_id: client.clientId,
  client_secret: client.clientSecret,
});

function basic({ clientId, clientSecret }: ClientCredentials = client, scheme = 'Basic'): string {
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  return `${scheme} ${Buffer.from(pair).toString('base64')}`;
}

function postForm(
  values: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const raw = new URLSearchParams(values).toString();
  return service.anonymous.post('/oauth2/token', undefined, { raw, headers: { ...FORM, ...headers } });
}

function postJson(values: object, headers: Record<string, string> = {}): Promise<ApiResponse> {
  return service.anonymous.post('/oauth2/token', values, { headers });
}

/** Asserts a whole token response: these four keys and no other, so no refresh token either. */
async function expectToken({ status, headers, body }: ApiResponse, scope = DEFAULT_SCOPE): Promise<void> {
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope,
    },
  });
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(decodeToken(body.access_token).claims['scope']).toBe(scope);
  const records = await new ApiClient(service.url, body.access_token).get('/contacts');
  expect(records.status).toBe(scope.includes('records:read') ? 200 : 403);
}

describe('a token request', () => {
  it('takes a form with the credentials in the body [4.1, 5.1, 5.4, contract 2]', async () => {
    await expectToken(await postForm({ grant_type: 'client_credentials', ...inBody() }));
  });

  it('takes a JSON body [4.1, 5.1, contract 2]', async () => {
    await expectToken(await postJson({ grant_type: 'client_credentials', ...inBody() }));
  });

  it('needs no grant_type, in a form or in JSON [4.1, contract 2]', async () => {
    await expectToken(await postForm(inBody()));
    await expectToken(await postJson(inBody()));
  });

  it('takes HTTP Basic with a form, with JSON and with no body at all [5.1, contract 2]', async () => {
    const headers = { Authorization: basic() };
    await expectToken(await postForm({ grant_type: 'client_credentials' }, headers));
    await expectToken(await postForm({}, headers));
    await expectToken(await postJson({ grant_type: 'client_credentials' }, headers));
    await expectToken(await service.anonymous.post('/oauth2/token', undefined, { headers }));
  });

  it('knows the Basic scheme in any case [contract 2]', async () => {
    await expectToken(await postForm({}, { Authorization: basic(client, 'bAsIc') }));
  });

  it('counts a parameter without a value as left out [contract 2]', async () => {
    await expectToken(await postForm({ grant_type: '', scope: '', ...inBody() }));
    await expectToken(
      await postForm({ client_id: '', client_secret: '', grant_type: '' }, { Authorization: basic() }),
    );
  });

  it('takes a content type with parameters, in any case [contract 2]', async () => {
    await expectToken(
      await postForm(inBody(), { 'Content-Type': 'Application/X-WWW-Form-URLEncoded; charset=UTF-8' }),
    );
    await expectToken(await postJson(inBody(), { 'Content-Type': 'application/json; charset=utf-8' }));
  });

  it('needs no token, and does not mind a path in this form only [4, 5.2]', async () => {
    expect((await service.anonymous.post('/oauth2/token', inBody())).status).toBe(200);
    expect((await service.anonymous.post('/v2/oauth2/token', inBody())).status).toBe(404);
  });

  it('gives every request a token of its own [4.1]', async () => {
    const [first, second] = await Promise.all([postForm(inBody()), postForm(inBody())]);
    expect(first.body.access_token).not.toBe(second.body.access_token);
    const ids = [first, second].map(({ body }) => decodeToken(body.access_token).claims['jti']);
    expect(new Set(ids).size).toBe(2);
  });
});

describe('the scope of a token', () => {
  it.each([
    ['one scope', 'dispatch', 'dispatch'],
    ['two, in any order', 'records:write records:read', 'records:read records:write'],
    ['repetitions', 'dispatch dispatch', 'dispatch'],
    ['all the client has', DEFAULT_SCOPE, DEFAULT_SCOPE],
  ])('is narrowed to what is asked for: %s [5.5, contract 2]', async (_, asked, granted) => {
    await expectToken(await postForm({ scope: asked, ...inBody() }), granted);
    await expectToken(await postJson({ scope: asked, ...inBody() }), granted);
  });

  it('is all but availability and manage for a client that was told nothing else [5.5, contract 2]', async () => {
    await expectToken(await postForm(inBody()), DEFAULT_SCOPE);
  });

  it("is the client's own where that was chosen, manage included [5.5, contract 2]", async () => {
    const { clientId, clientSecret } = await service.createClient('acme', ['manage', 'records:read']);
    const response = await postForm({ client_id: clientId, client_secret: clientSecret });
    await expectToken(response, 'records:read manage');
  });
});

describe('an access token', () => {
  it('is for the client in lower case, in whatever case it was named [contract 2]', async () => {
    const { body } = await postForm({ ...inBody(), client_id: client.clientId.toUpperCase() });
    const { claims } = decodeToken(body.access_token);
    expect([claims['sub'], claims['client_id']]).toEqual([client.clientId, client.clientId]);
  });

  it('is a JWT of RFC 9068 with the account of its client [4.1, 5.3, contract 2]', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { body } = await postForm(inBody());
    const { header, claims } = decodeToken(body.access_token);
    expect(header).toEqual({ alg: 'HS256', typ: 'at+jwt' });
    const { accountId } = await service.account('acme');
    expect(claims).toEqual({
      iss: 'fairlead',
      aud: 'fairlead',
      sub: client.clientId,
      client_id: client.clientId,
      account_id: accountId,
      scope: DEFAULT_SCOPE,
      iat: expect.any(Number),
      exp: Number(claims['iat']) + 3600,
      jti: expect.stringMatching(UUID),
    });
    expect(claims['iat']).toBeGreaterThanOrEqual(before);
    expect(claims['iat']).toBeLessThanOrEqual(Math.floor(Date.now() / 1000));
    expect(client.clientId).toMatch(UUID);
  });

  it('lives as long as configured, and not longer [5.3, 5.4, 5.5, contract 2]', async () => {
    const brief = await TestService.start({ ttlSeconds: 60 });
    const clock = jest.spyOn(Date, 'now');
    try {
      const api = await brief.loginByRequest('acme');
      const { claims } = decodeToken(api.token ?? '');
      expect(claims['exp'] - claims['iat']).toBe(60);
      clock.mockReturnValue(claims['exp'] * 1000 - 1);
      expect((await api.get('/contacts')).status).toBe(200);
      clock.mockReturnValue(claims['exp'] * 1000);
      const refused = await api.get('/contacts');
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
      expect(refused.body.message).toBe('Unauthorized: invalid or expired token');
    } finally {
      clock.mockRestore();
      await brief.stop();
    }
  });

  it('says in expires_in what was configured [4.1, contract 2]', async () => {
    const brief = await TestService.start({ ttlSeconds: 77 });
    try {
      const { clientId, clientSecret } = await brief.createClient('acme');
      const { body } = await brief.anonymous.post('/oauth2/token', {
        client_id: clientId,
        client_secret: clientSecret,
      });
      expect(body.expires_in).toBe(77);
    } finally {
      await brief.stop();
    }
  });
});

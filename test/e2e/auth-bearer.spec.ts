import type { ClientCredentials } from '../../src/management/index.js';
import { ApiClient } from '../support/api-client.js';
import { expectError } from '../support/error-object.js';
import { forgeToken, type Forgery } from '../support/forge-token.js';
import { rawRequest } from '../support/raw-request.js';
import { TEST_SECRET, TestService } from '../support/test-service.js';

const MISSING = 'Unauthorized: missing bearer token';
const INVALID = 'Unauthorized: invalid or expired token';
const NO_ACCOUNT = 'Unauthorized: missing account context';
const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';
const CONTACT = { fields: { first_name: 'Ada' } };
const ago = (seconds: number): number => Math.floor(Date.now() / 1000) - seconds;

let service: TestService;
let client: ClientCredentials;
let accountId: string;
let otherAccount: string;
let otherClient: ClientCredentials;

beforeAll(async () => {
  service = await TestService.shared();
  client = await service.createClient('acme');
  ({ accountId } = await service.account('acme'));
  otherClient = await service.createClient('other');
  ({ accountId: otherAccount } = await service.account('other'));
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => service.stop());

const forge = (forgery?: Forgery): string => forgeToken({ clientId: client.clientId, accountId }, forgery);

/** Asserts the 401 of reading and of creating with this Authorization header. */
async function expectUnauthorized(authorization: string, message: string, challenge: string): Promise<void> {
  const headers = { Authorization: authorization };
  const read = await service.anonymous.get('/contacts', { headers });
  const create = await service.anonymous.post('/contacts', CONTACT, { headers });
  for (const response of [read, create]) {
    expectError(response, 401, { message });
    expect(response.headers.get('www-authenticate')).toBe(challenge);
  }
}

const expectInvalid = (token: string): Promise<void> =>
  expectUnauthorized(`Bearer ${token}`, INVALID, 'Bearer error="invalid_token"');

describe('a bearer token', () => {
  it('made with the right key and claims is accepted, so that each flaw below counts [5.2, 5.3]', async () => {
    const api = new ApiClient(service.url, forge());
    expect((await api.get('/contacts')).status).toBe(200);
    expect((await api.post('/contacts', CONTACT)).status).toBe(201);
    const whole = new ApiClient(service.url, forge({ header: { typ: 'application/at+jwt' } }));
    expect((await whole.get('/contacts')).status).toBe(200);
  });

  it('is refused with anything after it, and when it is sent twice [5.2, contract 2]', async () => {
    await expectUnauthorized(`Bearer ${forge()} junk`, MISSING, 'Bearer');
    const twice = { Authorization: [`Bearer ${forge()}`, `Bearer ${forge()}`] };
    expectError(await rawRequest(service.anonymous, 'GET', '/contacts', { headers: twice }), 401, {
      message: 'Unauthorized: the Authorization header must be sent once',
    });
  });

  it('that was accepted before is refused once it has expired [5.3, contract 2]', async () => {
    const api = new ApiClient(service.url, forge({ claims: { exp: ago(-600) } }));
    expect((await api.get('/contacts')).status).toBe(200);
    expect((await api.get('/contacts')).status).toBe(200);
    const now = Date.now() + 601_000;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
    expectError(await api.get('/contacts'), 401, { message: INVALID });
    clock.mockRestore();
  });

  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('is known by the scheme %s [5.2]', async (scheme) => {
    const headers = { Authorization: `${scheme} ${forge()}` };
    expect((await service.anonymous.get('/contacts', { headers })).status).toBe(200);
  });

  it.each([
    ['is expired', { claims: { iat: ago(7200), exp: ago(3600) } }],
    ['expired a second ago', { claims: { exp: ago(1) } }],
    ['never expires', { claims: { exp: undefined } }],
    ['expires at a text', { claims: { exp: '9999999999' } }],
    ['expires at null', { claims: { exp: null } }],
    ['is not valid yet', { claims: { nbf: ago(-3600) } }],
    ['is signed with another key', { secret: `${TEST_SECRET}!` }],
    ['is signed with an empty key', { secret: '' }],
    ['has the algorithm none', { header: { alg: 'none' } }],
    ['has the algorithm None', { header: { alg: 'None' } }],
    ['has the algorithm HS384', { header: { alg: 'HS384' } }],
    ['has the algorithm HS512', { header: { alg: 'HS512' } }],
    ['has the algorithm RS256', { header: { alg: 'RS256' } }],
    ['has no algorithm', { header: { alg: undefined } }],
    ['is of the type JWT', { header: { typ: 'JWT' } }],
    ['is of the type id+jwt', { header: { typ: 'id+jwt' } }],
    ['is of no type', { header: { typ: undefined } }],
    ['has a number as its type', { header: { typ: 5 } }],
    ['has an object as its type', { header: { typ: {} } }],
    ['has a list as its type', { header: { typ: ['at+jwt'] } }],
    ['has an extension that must be understood', { header: { crit: ['exp'] } }],
    ['has an empty list of extensions', { header: { crit: [] } }],
    ['comes from another issuer', { claims: { iss: 'somebody' } }],
    ['comes from nowhere', { claims: { iss: undefined } }],
    ['is for another audience', { claims: { aud: 'somebody' } }],
    ['is for several others', { claims: { aud: ['somebody', 'else'] } }],
    ['is for nobody', { claims: { aud: undefined } }],
    ['has no client', { claims: { client_id: undefined } }],
    ['has no subject', { claims: { sub: undefined } }],
    ['has no client and no subject', { claims: { client_id: undefined, sub: undefined } }],
    ['has another subject than client', { claims: { sub: UNKNOWN_ID } }],
    ['has another client than subject', { claims: { client_id: UNKNOWN_ID } }],
    ['is of an unknown client', { claims: { client_id: UNKNOWN_ID, sub: UNKNOWN_ID } }],
    ['is of a client whose id is no UUID', { claims: { client_id: 'constructor', sub: 'constructor' } }],
    ['is of a client with NUL in its id', { claims: { client_id: '\u0000', sub: '\u0000' } }],
    ['names an unknown account', { claims: { account_id: UNKNOWN_ID } }],
    ['names an account that is no UUID', { claims: { account_id: 'acme' } }],
  ] satisfies [string, Forgery][])('that %s gets 401 [5.2, 7, contract 2]', async (_, forgery) => {
    await expectInvalid(forge(forgery));
  });

  it("that names another account gets 401, and nothing of that account's [1, 5.3, contract 2]", async () => {
    await expectInvalid(forge({ claims: { account_id: otherAccount } }));
    const { clientId } = otherClient;
    await expectInvalid(forge({ claims: { client_id: clientId, sub: clientId } }));
    const genuine = forgeToken({ clientId, accountId: otherAccount });
    expect((await new ApiClient(service.url, genuine).get('/contacts')).body.pagination.count).toBe(0);
  });

  it.each([
    ['no account_id', undefined],
    ['an empty account_id', ''],
    ['an account_id of null', null],
    ['a number for account_id', 7],
    ['a list for account_id', ['x']],
    ['an object for account_id', {}],
  ])('with %s is told that the account context is missing [5.3, 7, contract 2]', async (_, account_id) => {
    const token = forge({ claims: { account_id } });
    await expectUnauthorized(`Bearer ${token}`, NO_ACCOUNT, 'Bearer error="invalid_token"');
  });

  it('without account context is told nothing of it unless the signature is right [5.3, contract 2]', async () => {
    await expectInvalid(forge({ claims: { account_id: undefined }, secret: 'x'.repeat(32) }));
    await expectInvalid(forge({ claims: { account_id: undefined, exp: ago(1) } }));
    await expectInvalid(forge({ claims: { account_id: undefined }, header: { typ: 'JWT' } }));
  });

  it.each([
    ['no JWT', () => 'abc'],
    ['empty parts', () => '..'],
    ['too few parts', () => forge().split('.').slice(0, 2).join('.')],
    ['too many parts', () => `${forge()}.x`],
    ['no signature', () => forge().replace(/[^.]*$/, '')],
    ['a changed claim', () => swapClaims(forge(), { account_id: otherAccount })],
    ['a header that is no JSON', () => forge().replace(/^[^.]*/, 'eHh4')],
    ['claims that are no object', () => forge().replace(/\.[^.]*\./, '.MQ.')],
    ['its own secret', () => client.clientSecret],
    ['a huge value', () => 'a.b.c'.repeat(2_000)],
  ])('that is %s gets 401 [5.2, 7, contract 2]', async (_, token) => {
    await expectInvalid(token());
  });
});

function swapClaims(token: string, claims: object): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const changed = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...claims };
  return `${header}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${signature}`;
}

describe('a request without a bearer token', () => {
  it('gets 401 with a bare challenge [4, 5.2, 7, contract 2]', async () => {
    for (const response of [
      await service.anonymous.get('/contacts'),
      await service.anonymous.post('/contacts', CONTACT),
    ]) {
      expectError(response, 401, { message: MISSING });
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it.each([
    ['an empty header', () => ''],
    ['the scheme alone', () => 'Bearer'],
    ['the scheme and spaces', () => 'Bearer   '],
    ['the token alone', () => forge()],
    ['another scheme', () => `Token ${forge()}`],
    [
      'the credentials of its client',
      () => `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')}`,
    ],
  ])('gets 401 with an Authorization header of %s [5.2, 7, contract 2]', async (_, header) => {
    await expectUnauthorized(header(), MISSING, 'Bearer');
  });

  it('is not let in by a token in the query string, a cookie, the body or another header [5.2]', async () => {
    const token = forge();
    const anonymous = service.anonymous;
    for (const response of [
      await anonymous.get(`/contacts?access_token=${token}`),
      await anonymous.get('/contacts', { headers: { Cookie: `access_token=${token}` } }),
      await anonymous.get('/contacts', { headers: { 'X-Access-Token': token, 'X-Auth-Token': token } }),
      await anonymous.post('/contacts', { ...CONTACT, access_token: token, auth_token: token }),
    ]) {
      expectError(response, 401, { message: MISSING });
    }
  });

  it('gets 401 before anything is said of its body or its id [5.2, 7]', async () => {
    expectError(await service.anonymous.post('/contacts', { nope: 1 }), 401, { message: MISSING });
    expectError(await service.anonymous.get('/contacts/nope?nope=1'), 401, { message: MISSING });
    expectError(await service.anonymous.post('/dispatch/router', {}), 401, { message: MISSING });
  });

  it('writes nothing [5.2]', async () => {
    const probe = { fields: { email: 'unwritten@example.com' } };
    await service.anonymous.post('/contacts', probe);
    await service.anonymous.post('/contacts', probe, { headers: { Authorization: 'Bearer abc' } });
    const created = await new ApiClient(service.url, forge()).post('/contacts', probe);
    expect(created.status).toBe(201);
  });

  it('is not let in by the second of two Authorization headers [5.2]', async () => {
    const headers = { Authorization: ['Basic eDp5', `Bearer ${forge()}`] };
    const response = await rawRequest(service.anonymous, 'GET', '/contacts', { headers });
    expect(response.status).toBe(401);
  });
});

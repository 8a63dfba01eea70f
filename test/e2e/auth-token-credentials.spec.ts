import { ApiClientsService, type ClientCredentials } from '../../src/management/index.js';
import type { ApiResponse } from '../support/api-client.js';
import { rawRequest } from '../support/raw-request.js';
import { TestService } from '../support/test-service.js';
import { blaming, expectTokenError } from '../support/token-error.js';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const BAD_CLIENT = 'Unknown client or wrong secret';
const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

let service: TestService;
let client: ClientCredentials;
let id: string;
let secret: string;

beforeAll(async () => {
  service = await TestService.shared();
  client = await service.createClient('acme');
  ({ clientId: id, clientSecret: secret } = client);
});
afterAll(() => service.stop());

const basicOf = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;

function postForm(raw: string): Promise<ApiResponse> {
  return service.anonymous.post('/oauth2/token', undefined, { raw, headers: FORM });
}

describe('a token request for a scope', () => {
  const ALLOWED =
    'scope must be one or more of: records:read records:write routers:read directory:read dispatch';

  it.each([
    ['that is unknown', 'records:delete'],
    ['that the client has not', 'manage'],
    ['of which one is unknown', 'records:read nope'],
    ['of which one is not the client’s', 'records:read manage'],
    ['in another case', 'Dispatch'],
    ['separated by commas', 'records:read,records:write'],
    ['of spaces only', '   '],
    ['with NUL', 'records:read\u0000'],
    ['named as a property of objects', 'constructor'],
  ])('%s is refused [5.5, contract 2]', async (_, scope) => {
    const values = { client_id: id, client_secret: secret, scope };
    const expected = blaming('scope', ALLOWED);
    const form = await postForm(new URLSearchParams(values).toString());
    expectTokenError(form, 'invalid_scope', ALLOWED, expected);
    const json = await service.anonymous.post('/oauth2/token', values);
    expectTokenError(json, 'invalid_scope', ALLOWED, expected);
  });

  it('is not answered about scopes before the secret is right [contract 2]', async () => {
    const response = await postForm(`client_id=${id}&client_secret=wrong&scope=nope`);
    expectTokenError(response, 'invalid_client', BAD_CLIENT, { status: 401 });
  });
});

describe('a token request with bad credentials', () => {
  const HEADERS = { 'X-Request-Id': 'the-same-for-all' };
  const comparable = (headers: Headers): [string, string][] =>
    [...headers].filter(([name]) => name !== 'date');

  /**
   * Returns clients that must not get a token, each for a different reason. Only the secret of the first is
   * wrong.
   */
  async function refused(): Promise<[id: string, secret: string][]> {
    const revoked = await service.createClient('acme');
    await service.app.get(ApiClientsService, { strict: false }).revoke(revoked.clientId);
    const suspended = await service.createClient('suspended');
    await service.apply('accounts: [{ slug: suspended, suspended: true }]');
    return [
      [id, `${secret}x`],
      [id, secret.toUpperCase()],
      [id, 'x'.repeat(7_000)],
      [id, `${secret}\u0000`],
      [UNKNOWN_ID, secret],
      ['not-a-uuid', secret],
      [`${id}\u0000`, secret],
      ['x'.repeat(7_000), secret],
      ['constructor', secret],
      ['__proto__', 'constructor'],
      ["' OR 1=1 --", secret],
      [revoked.clientId, revoked.clientSecret],
      [suspended.clientId, suspended.clientSecret],
    ];
  }

  it('gets the same 401 whatever is wrong with them [4.1, contract 2]', async () => {
    const answers = [];
    for (const [client_id, client_secret] of await refused()) {
      const body = new URLSearchParams({ client_id, client_secret }).toString();
      answers.push(
        await rawRequest(service.anonymous, 'POST', '/oauth2/token', {
          headers: { ...FORM, ...HEADERS },
          body,
        }),
      );
    }
    for (const answer of answers) {
      expectTokenError(answer, 'invalid_client', BAD_CLIENT, { status: 401 });
      expect(answer.headers.has('www-authenticate')).toBe(false);
      expect(answer.text).toBe(answers[0]!.text);
      expect(comparable(answer.headers)).toEqual(comparable(answers[0]!.headers));
    }
  });

  it('gets the same 401 under Basic, with a challenge [contract 2]', async () => {
    const answers = [];
    for (const [client_id, client_secret] of await refused()) {
      const pair = `${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`;
      if (pair.length > 10_000) continue; // longer than Node.js allows headers to be
      const headers = { ...HEADERS, Authorization: basicOf(pair) };
      answers.push(await rawRequest(service.anonymous, 'POST', '/oauth2/token', { headers }));
    }
    expect(answers.length).toBeGreaterThan(8);
    for (const answer of answers) {
      expectTokenError(answer, 'invalid_client', BAD_CLIENT, { status: 401 });
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
      expect(answer.text).toBe(answers[0]!.text);
      expect(comparable(answer.headers)).toEqual(comparable(answers[0]!.headers));
    }
  });
});

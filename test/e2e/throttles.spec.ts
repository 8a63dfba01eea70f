// Services of its own: they have other limits of rates.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClientCredentials } from '../../src/management/index.js';
import { Database } from '../../src/database/index.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { expectError } from '../support/error-object.js';
import { forgeToken } from '../support/forge-token.js';
import { UNKNOWN_ID } from '../support/record-types.js';
import { TestService } from '../support/test-service.js';

const [PER_CLIENT, PER_ACCOUNT] = [40, 60];

let service: TestService;

beforeAll(async () => {
  service = await TestService.start({
    env: { RATE_LIMIT_PER_CLIENT: String(PER_CLIENT), RATE_LIMIT_PER_ACCOUNT: String(PER_ACCOUNT) },
  });
});
afterAll(() => service.stop());

const NAMES = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'];

/** Stands for a number of seconds of a minute. */
const SECONDS = 'seconds';

/** The headers of limits, as numbers; null where there is none. */
function limitsOf({ headers }: ApiResponse): (number | string | null)[] {
  return NAMES.map((name, index) => {
    const value = headers.get(name);
    if (value === null || index < 2) return value === null ? null : Number(value);
    return /^([1-9]|[1-5]\d|60)$/.test(value) ? SECONDS : value;
  });
}

const send = (api: ApiClient, count: number): Promise<ApiResponse[]> =>
  Promise.all(Array.from({ length: count }, () => api.get('/contacts')));

const countOf = (answers: readonly ApiResponse[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

/** What requests ask of the database from now on; what runs in the background is left out. */
function watchRequests({ app }: TestService): {
  units: (string | undefined)[];
  statements: (string | undefined)[];
} {
  const inRequest = new AsyncLocalStorage<true>();
  const server = app.getHttpServer();
  server.prependListener('request', () => inRequest.enterWith(true));
  const database = app.get(Database, { strict: false });
  const [openUnit, query] = [database.for.bind(database), database.query.bind(database)];
  const units: (string | undefined)[] = [];
  const statements: (string | undefined)[] = [];
  jest.spyOn(database, 'for').mockImplementation((...parameters: Parameters<typeof openUnit>) => {
    if (inRequest.getStore()) units.push(parameters[0].accountId);
    return openUnit(...parameters);
  });
  jest.spyOn(database, 'query').mockImplementation((...parameters: Parameters<typeof query>) => {
    if (inRequest.getStore()) statements.push(parameters[0].name);
    return query(...parameters);
  });
  return { units, statements };
}

describe('the limit of a client', () => {
  it('admits exactly as many of the requests that arrive together [contract 1, contract 6]', async () => {
    const api = await service.login('together');
    const answers = await send(api, PER_CLIENT + 15);
    expect([countOf(answers, 200), countOf(answers, 429)]).toEqual([PER_CLIENT, 15]);
    const remaining = answers.filter(({ status }) => status === 200).map((answer) => limitsOf(answer)[1]);
    expect(remaining.sort((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: PER_CLIENT }, (_, index) => index),
    );
  });

  it('answers what is beyond it with the error object, and says when to come back [contract 1]', async () => {
    const api = await service.login('beyond');
    await send(api, PER_CLIENT);
    const answer = await api.post('/contacts', { fields: { email: 'a@acme.test' } });
    expectError(answer, 429, {
      code: 'rate_limited',
      message: `Too many requests: the client may send ${PER_CLIENT} requests a minute`,
    });
    expect(limitsOf(answer)).toEqual([PER_CLIENT, 0, SECONDS, SECONDS]);
    expect(answer.headers.get('ratelimit-reset')).toBe(answer.headers.get('retry-after'));
  });

  it('touches no other client of the account [contract 6]', async () => {
    const api = await service.login('siblings');
    await send(api, PER_CLIENT + 5);
    const sibling = await service.login('siblings');
    const answers = await send(sibling, PER_ACCOUNT - PER_CLIENT);
    expect(countOf(answers, 200)).toBe(PER_ACCOUNT - PER_CLIENT);
  });

  it('is counted for no client whose token somebody forges [contract 2, contract 6]', async () => {
    const api = await service.login('forged');
    const [, payload = ''] = api.token!.split('.');
    const { client_id: clientId, account_id: accountId } = JSON.parse(
      Buffer.from(payload, 'base64url').toString(),
    );
    const forged = forgeToken({ clientId, accountId }, { secret: 'x'.repeat(32) });
    for (let times = 0; times < PER_CLIENT + 5; times++) {
      const answer = await service.anonymous.get('/contacts', {
        headers: { Authorization: `Bearer ${forged}` },
      });
      expect([answer.status, ...limitsOf(answer)]).toEqual([401, null, null, null, null]);
    }
    expect(limitsOf(await api.get('/contacts')).slice(0, 2)).toEqual([PER_CLIENT, PER_CLIENT - 1]);
  });

  it('needs no statement to refuse a request [contract 6]', async () => {
    const api = await service.login('statements');
    await send(api, PER_CLIENT);
    const { units, statements } = watchRequests(service);
    const answers = await send(api, 10);
    expect(countOf(answers, 429)).toBe(10);
    expect(units).toEqual([]);
    // What the process had counted before may be told to the others meanwhile.
    expect(statements.filter((name) => name !== 'request_counts_add')).toEqual([]);
    // An admitted request is seen, so an empty list says something.
    const other = await service.login('seen');
    units.length = 0;
    await other.get('/contacts');
    expect(units.length).toBeGreaterThan(0);
    jest.restoreAllMocks();
  });
});

describe('the limit of an account', () => {
  it('is that of all its clients, and of no other account [contract 6]', async () => {
    const [one, two] = [await service.login('crowd'), await service.login('crowd')];
    const answers = [...(await send(one, PER_CLIENT)), ...(await send(two, PER_CLIENT))];
    expect(countOf(answers, 200)).toBe(PER_ACCOUNT);
    const refused = await two.get('/contacts');
    expectError(refused, 429, {
      code: 'rate_limited',
      message: `Too many requests: the account may send ${PER_ACCOUNT} requests a minute`,
    });
    expect(limitsOf(refused)).toEqual([PER_ACCOUNT, 0, SECONDS, SECONDS]);
    expect((await (await service.login('neighbour')).get('/contacts')).status).toBe(200);
  });

  it('is the one that the headers tell where less of it is left [contract 1]', async () => {
    const [one, two] = [await service.login('nearer'), await service.login('nearer')];
    await send(one, PER_CLIENT - 1);
    expect(limitsOf(await one.get('/contacts')).slice(0, 2)).toEqual([PER_CLIENT, 0]);
    expect(limitsOf(await two.get('/contacts')).slice(0, 2)).toEqual([
      PER_ACCOUNT,
      PER_ACCOUNT - PER_CLIENT - 1,
    ]);
  });
});

describe('the headers of limits', () => {
  it('are on every answer to a request whose token is good, whatever its status [contract 1]', async () => {
    const api = await service.login('answers');
    const limited = await service.login('answers', ['records:read']);
    const email = 'ada@acme.test';
    const answers = [
      await api.post('/contacts', { fields: { email } }),
      await api.get('/contacts'),
      await api.get('/contacts?limit=0'),
      await limited.post('/contacts', { fields: {} }),
      await api.get(`/contacts/${UNKNOWN_ID}`),
      await api.post('/contacts', { fields: { email } }),
      await api.post('/contacts', undefined, { raw: `{"fields":"${'x'.repeat(2 ** 20)}"}` }),
      await api.post('/contacts', undefined, { raw: 'x', headers: { 'Content-Type': 'text/plain' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 400, 403, 404, 409, 413, 415]);
    for (const answer of answers)
      expect(limitsOf(answer)).toEqual([PER_CLIENT, expect.any(Number), SECONDS, null]);
    const own = answers.filter(({ status }) => status !== 403);
    expect(own.map((answer) => limitsOf(answer)[1])).toEqual([39, 38, 37, 36, 35, 34, 33]);
  });

  it('are on no answer to anybody else [contract 1]', async () => {
    const { anonymous } = service;
    const api = await service.login('nobody');
    for (const answer of [
      await anonymous.get('/contacts'),
      await anonymous.get('/health/ready'),
      await api.get('/health/ready'),
      await api.get('/nowhere'),
    ]) {
      expect(limitsOf(answer)).toEqual([null, null, null, null]);
    }
  });

  it('are on none where there is no limit, and nothing is refused [contract 6]', async () => {
    const open = await TestService.start({
      env: { RATE_LIMIT_PER_CLIENT: '0', RATE_LIMIT_PER_ACCOUNT: '0' },
    });
    const answers = await send(await open.login('acme'), 30);
    for (const answer of answers) {
      expect([answer.status, ...limitsOf(answer)]).toEqual([200, null, null, null, null]);
    }
    await open.stop();
  });

  it('tell 6000 requests a minute by default [contract 6]', async () => {
    const usual = await TestService.shared();
    const answer = await (await usual.login('acme')).get('/contacts');
    expect(limitsOf(answer)).toEqual([6_000, 5_999, SECONDS, null]);
    await usual.stop();
  });

  it('are described, with 429, of every operation that needs a token [contract 1, contract 5]', async () => {
    const { body } = await service.anonymous.get('/openapi.json');
    const operations = Object.values<any>(body.paths).flatMap((path) => Object.values<any>(path));
    const guarded = operations.filter(({ security }) => security.some((each: any) => 'oauth2' in each));
    expect(guarded.length).toBeGreaterThan(20);
    const shared = ({ $ref, ...own }: any): any =>
      $ref === undefined ? own : body.components.responses[$ref.split('/').at(-1)];
    for (const { responses } of guarded) {
      expect(shared(responses['429']).headers).toHaveProperty('Retry-After');
      for (const [status, answer] of Object.entries<any>(responses)) {
        const { headers } = shared(answer);
        const names = Object.keys(headers ?? {}).filter((name) => name.startsWith('RateLimit-'));
        expect(names).toHaveLength(status === '401' ? 0 : 3);
      }
    }
    for (const operation of operations.filter((each) => !guarded.includes(each))) {
      expect(JSON.stringify(operation)).not.toContain('RateLimit-');
    }
  });
});

describe('the credentials of a client beyond its limit', () => {
  it('still get a token, which is refused until the minute has passed [contract 2, contract 6]', async () => {
    const { clientId, clientSecret }: ClientCredentials = await service.createClient('again');
    const token = async (): Promise<ApiResponse> =>
      service.anonymous.post('/oauth2/token', { client_id: clientId, client_secret: clientSecret });
    const ask = async (answer: ApiResponse): Promise<number> => {
      const headers = { Authorization: `Bearer ${answer.body.access_token}` };
      return (await service.anonymous.get('/contacts', { headers })).status;
    };
    const first = await token();
    for (let times = 0; times < PER_CLIENT; times++) expect(await ask(first)).toBe(200);
    const second = await token();
    expect([second.status, await ask(second)]).toEqual([200, 429]);
  });
});

// A service of its own: failed attempts of an address are counted.
import { ApiClientsService, type ClientCredentials } from '../../src/management/index.js';
import type { ApiResponse } from '../support/api-client.js';
import { expectError } from '../support/error-object.js';
import { UNKNOWN_ID } from '../support/record-types.js';
import { TestService } from '../support/test-service.js';
import { expectTokenError } from '../support/token-error.js';

const LIMIT = 10;

let service: TestService;
let credentials: ClientCredentials;

async function start(trusted?: string): Promise<void> {
  service = await TestService.start({
    env: { TOKEN_RATE_LIMIT_PER_ADDRESS: String(LIMIT), TRUST_PROXY: trusted },
  });
  credentials = await service.createClient('acme');
}
afterEach(() => service.stop());

/** Asks for a token. @param forwarded value of `X-Forwarded-For` */
function ask(given: Partial<ClientCredentials> = {}, forwarded?: string): Promise<ApiResponse> {
  const { clientId, clientSecret } = { ...credentials, ...given };
  const headers = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded };
  return service.anonymous.post(
    '/oauth2/token',
    { client_id: clientId, client_secret: clientSecret },
    { headers },
  );
}

const WRONG = { clientSecret: 'wrong' };

/** Sends wrong secrets up to the limit. */
async function guess(forwarded?: string): Promise<void> {
  for (let times = 0; times < LIMIT; times++) expect((await ask(WRONG, forwarded)).status).toBe(401);
}

describe('Somebody who guesses secrets', () => {
  it('is answered 429 after some failures, the same for a wrong secret and an unknown client [contract 2, contract 6]', async () => {
    await start();
    await guess();
    const message = 'Too many failed attempts from this address';
    for (const given of [
      WRONG,
      { clientId: UNKNOWN_ID },
      { clientId: 'x' },
      { clientId: UNKNOWN_ID, ...WRONG },
    ]) {
      const answer = await ask(given);
      expectError(answer, 429, {
        code: 'rate_limited',
        message,
        error_code: 'invalid_client',
        error_description: message,
      });
      const names = [...answer.headers.keys()].filter((name) => !['date', 'x-request-id'].includes(name));
      expect(names).toEqual([...(await ask(WRONG)).headers.keys()].filter((name) => names.includes(name)));
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    }
  });

  it('is counted exactly, however many attempts arrive together [contract 6]', async () => {
    await start();
    const answers = await Promise.all(Array.from({ length: LIMIT + 30 }, () => ask(WRONG)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(LIMIT).fill(401), ...Array<number>(30).fill(429)]);
  });

  it('locks out no client with the right secret, also from the same address [contract 6]', async () => {
    await start();
    await guess();
    const other = await service.createClient('other');
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        index % 3 === 0
          ? ask()
          : index % 3 === 1
            ? ask(other)
            : ask(index % 2 === 0 ? WRONG : { clientId: UNKNOWN_ID }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(
      Array.from({ length: 60 }, (_, index) => (index % 3 === 2 ? 429 : 200)),
    );
  });

  it('has no say about what is wrong with a request otherwise [contract 2]', async () => {
    await start();
    await guess();
    const { clientId: client_id } = credentials;
    const answer = await service.anonymous.post('/oauth2/token', { client_id });
    expectTokenError(answer, 'invalid_request', 'client_secret is required', {
      field: 'client_secret',
      errors: [{ field: 'client_secret', message: 'client_secret is required' }],
    });
  });

  it('has a new secret of the client refused no longer than the old one [contract 6]', async () => {
    await start();
    await guess();
    const clients = service.app.get(ApiClientsService, { strict: false });
    const rotated = await clients.rotate(credentials.clientId);
    expect((await ask(rotated)).status).toBe(200);
    expect((await ask()).status).toBe(429);
  });
});

describe('X-Forwarded-For', () => {
  it('counts for nothing by default: whoever changes it is still one address [contract 6]', async () => {
    await start();
    for (let times = 0; times < LIMIT; times++) await ask(WRONG, `192.0.2.${times}`);
    expect((await ask(WRONG, '192.0.2.200')).status).toBe(429);
    expect((await ask(WRONG)).status).toBe(429);
  });

  it('tells the address of the client where the proxy is trusted [contract 6]', async () => {
    await start('loopback');
    await guess('192.0.2.1');
    expect((await ask(WRONG, '192.0.2.1')).status).toBe(429);
    expect((await ask(WRONG, '192.0.2.2')).status).toBe(401);
    await guess('2001:db8::1');
    expect((await ask(WRONG, '2001:db8::ffff:1')).status).toBe(429);
    expect((await ask(WRONG, '2001:db8:1::1')).status).toBe(401);
  });

  it('counts only as far as trusted proxies have written it [contract 6]', async () => {
    await start('loopback, 10.0.0.0/8');
    for (let times = 0; times < LIMIT; times++) {
      await ask(WRONG, `198.51.100.${times}, 192.0.2.1, 10.1.2.3`);
    }
    expect((await ask(WRONG, '203.0.113.1, 192.0.2.1, 10.9.9.9')).status).toBe(429);
    expect((await ask(WRONG, '192.0.2.1, 192.0.2.2, 10.1.2.3')).status).toBe(401);
  });

  it('counts as many steps back as there are proxies [contract 6]', async () => {
    await start('2');
    for (let times = 0; times < LIMIT; times++) await ask(WRONG, `198.51.100.${times}, 192.0.2.1, 10.0.0.1`);
    expect((await ask(WRONG, '203.0.113.1, 192.0.2.1, 10.0.0.2')).status).toBe(429);
    expect((await ask(WRONG, '192.0.2.1, 192.0.2.2, 10.0.0.1')).status).toBe(401);
  });

  it('that is no address counts as the proxy [contract 6]', async () => {
    await start('loopback');
    for (let times = 0; times < LIMIT; times++) await ask(WRONG, `nonsense${times}`);
    expect((await ask(WRONG)).status).toBe(429);
  });
});

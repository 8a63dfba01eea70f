import type { JwtService } from '@nestjs/jwt';
import type { Database } from '../database/index.js';
import { FailedAttempts } from '../throttles/index.js';
import type { ApiClientsRepository, ClientStatus } from './api-clients.repository.js';
import { hashClientSecret } from './secrets.js';
import { TokenService } from './token.service.js';

const ID = '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5';
const UNKNOWN = '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d6';
const CLIENT: ClientStatus = {
  accountId: 'acme',
  secretHash: hashClientSecret('right'),
  previousHash: null,
  scopes: [],
};

let lookups: ('own' | 'shared')[];
let credentials: TokenService;

beforeEach(() => {
  lookups = [];
  const find = (how: 'own' | 'shared', id: string): Promise<ClientStatus | undefined> => {
    lookups.push(how);
    return Promise.resolve(id === ID ? CLIENT : undefined);
  };
  const clients = {
    findActive: (_: unknown, id: string) => find('own', id),
    findSeveralActive: async (_: unknown, [id = '']: readonly string[]) =>
      new Map([[id, await find('shared', id)]]),
  };
  credentials = new TokenService(
    {} as Database,
    clients as unknown as ApiClientsRepository,
    new FailedAttempts(2),
    {} as JwtService,
    {} as never,
    {} as never,
  );
});

const check = (clientSecret: string, clientId = ID, address = 'here'): Promise<ClientStatus> =>
  credentials.authenticate({ clientId, clientSecret, basic: false }, address);

/** The error with which credentials are refused. */
const refusal = (...given: Parameters<typeof check>): Promise<any> =>
  check(...given).then(
    () => fail('They were accepted'),
    (error: unknown) => error,
  );

function fail(message: string): never {
  throw new Error(message);
}

describe('credentials from an address with too many failures', () => {
  beforeEach(async () => {
    for (const _ of [1, 2]) expect((await refusal('wrong')).status).toBe(401);
  });

  it('are refused with 429, an unknown client and a wrong secret alike [contract 2, contract 6]', async () => {
    const answers = [await refusal('wrong'), await refusal('right', UNKNOWN), await refusal('x', 'no id')];
    for (const { status, code, message, details } of answers) {
      expect({ status, code, message, details }).toEqual({
        status: 429,
        code: 'rate_limited',
        message: 'Too many failed attempts from this address',
        details: {
          extra: {
            error_code: 'invalid_client',
            error_description: 'Too many failed attempts from this address',
          },
          headers: { 'Retry-After': '60', 'Cache-Control': 'no-store' },
        },
      });
    }
  });

  it('are accepted where they are right [contract 6]', async () => {
    expect(await check('right')).toBe(CLIENT);
  });

  it('are looked up together with others, right or wrong [contract 6]', async () => {
    lookups = [];
    await refusal('wrong');
    await check('right');
    await check('right', ID, 'elsewhere');
    expect(lookups).toEqual(['shared', 'shared', 'own']);
  });
});

it('credentials that are right are no failed attempt [contract 6]', async () => {
  for (let times = 0; times < 5; times++) await check('right');
  expect((await refusal('wrong')).status).toBe(401);
});

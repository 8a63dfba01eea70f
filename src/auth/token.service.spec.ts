import { JwtService } from '@nestjs/jwt';
import { createSecretKey } from 'node:crypto';
import { isId, type Database } from '../database/index.js';
import type { ApiClientsRepository, ClientStatus } from './api-clients.repository.js';
import { hashClientSecret } from './client-secret.js';
import type { Scope } from './scope.js';
import type { TokenRequest } from './token-request.js';
import type { FailedAttempts } from '../throttles/index.js';
import { CredentialCheck } from './credential-check.js';
import { TokenService, type TokenResponse } from './token.service.js';

const ID = '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5';
const SECRET = 'secret';
const database = {} as Database;
const keys = { signing: { algorithm: 'HS256' as const, key: createSecretKey(Buffer.alloc(32)) } };
const settings = { JWT_ISSUER: 'issuer', JWT_AUDIENCE: 'audience', ACCESS_TOKEN_TTL_SECONDS: 60 };
const jwt = new JwtService({ secret: keys.signing.key as unknown as Buffer });

let asked: string[];
/** The client, if it may act. */
let client: ClientStatus | undefined;
let service: TokenService;

const allow = (...scopes: Scope[]): void => {
  client = { accountId: 'acme', secretHash: hashClientSecret(SECRET), previousHash: null, scopes };
};

beforeEach(() => {
  asked = [];
  allow('dispatch', 'records:read');
  const clients = {
    findActive: (db: unknown, clientId: string) => {
      expect(db).toBe(database);
      asked.push(clientId);
      return Promise.resolve(client);
    },
  };
  const failures = { isSpent: () => false, add: () => undefined } as unknown as FailedAttempts;
  const repository = clients as unknown as ApiClientsRepository;
  const check = new CredentialCheck(database, repository, failures);
  service = new TokenService(check, jwt, keys, settings);
});

const issue = (request: Partial<TokenRequest> = {}): Promise<TokenResponse> =>
  service.issue({ clientId: ID, clientSecret: SECRET, scope: undefined, basic: false, ...request }, 'here');

describe('a token', () => {
  it('is issued for credentials that are good [4.1, contract 2]', async () => {
    const { access_token, ...rest } = await issue();
    expect(rest).toEqual({ token_type: 'Bearer', expires_in: 60, scope: 'records:read dispatch' });
    const { header, payload }: { header: unknown; payload: any } = jwt.decode(access_token, {
      complete: true,
    });
    expect(header).toEqual({ alg: 'HS256', typ: 'at+jwt' });
    expect(payload).toEqual({
      iss: 'issuer',
      aud: 'audience',
      sub: ID,
      client_id: ID,
      account_id: 'acme',
      scope: 'records:read dispatch',
      iat: expect.any(Number),
      exp: expect.any(Number),
      jti: expect.any(String),
    });
    expect(payload.exp - payload.iat).toBe(60);
    expect(isId(payload.jti)).toBe(true);
  });

  it('is for the client in lower case, in whatever case it was named [contract 2]', async () => {
    const { access_token } = await issue({ clientId: ID.toUpperCase() });
    expect(jwt.decode(access_token)).toMatchObject({ sub: ID, client_id: ID });
    expect(asked).toEqual([ID]);
  });

  it.each([
    ['dispatch', 'dispatch'],
    ['dispatch  records:read', 'records:read dispatch'],
  ])('has no more scopes than were asked for: %j [5.5, contract 2]', async (scope, granted) => {
    const { access_token, ...response } = await issue({ scope });
    expect(response.scope).toBe(granted);
    expect(jwt.decode(access_token)).toMatchObject({ scope: granted });
  });

  it.each(['manage', 'dispatch manage', 'nope', 'dispatch nope', '', ' '])(
    'is refused for the scopes %j, which the client does not have or nobody knows [contract 2]',
    async (scope) => {
      await expect(issue({ scope })).rejects.toMatchObject({
        status: 400,
        message: 'scope must be one or more of: dispatch records:read',
        details: { field: 'scope', extra: { error_code: 'invalid_scope' } },
      });
    },
  );

  it('may have no scope where its client has none', async () => {
    allow();
    expect((await issue()).scope).toBe('');
  });
});

describe('credentials that are not good', () => {
  const refusal = { status: 401, details: { extra: { error_code: 'invalid_client' } } };

  it.each([
    ['a wrong secret', { clientSecret: 'Secret' }],
    ['what is no id', { clientId: 'x' }],
  ])('are refused alike: %s [contract 2]', async (_, request) => {
    await expect(issue(request)).rejects.toMatchObject(refusal);
  });

  it('are refused alike: an unknown or revoked client [contract 2]', async () => {
    client = undefined;
    await expect(issue()).rejects.toMatchObject(refusal);
  });

  it('are refused before the scope is looked at [contract 2]', async () => {
    await expect(issue({ clientSecret: 'x', scope: 'nope' })).rejects.toMatchObject(refusal);
  });

  it('are not looked up where the id cannot exist', async () => {
    await expect(issue({ clientId: 'x' })).rejects.toThrow();
    expect(asked).toEqual([]);
  });

  it('are challenged where they came as HTTP Basic only [contract 2]', async () => {
    const challenge = { 'WWW-Authenticate': 'Basic realm="fairlead", charset="UTF-8"' };
    await expect(issue({ clientSecret: 'x', basic: true })).rejects.toMatchObject({
      details: { headers: challenge },
    });
    await expect(issue({ clientSecret: 'x' })).rejects.not.toMatchObject({
      details: { headers: challenge },
    });
  });
});

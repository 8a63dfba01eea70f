import { errorObject } from '../errors/error-object.js';
import { DomainError } from '../errors/domain-error.js';
import { Failures } from '../errors/errors.js';
import { authorizationServer } from './keys/well-known.controller.js';
import { describeTokenError, invalidClient, tokenError, tooManyFailures } from './token-errors.js';

const SCOPE = 'records:read records:write routers:read directory:read dispatch';
const REQUEST_ID = '019a8f3e-2b7c-7d10-9e42-5f6a7b8c9d0e';

/** The bodies of token requests, for the OpenAPI document. */
export const TOKEN_REQUESTS = {
  basic: {
    summary: 'With the credentials as HTTP Basic',
    value: { grant_type: 'client_credentials', scope: SCOPE },
  },
  body: {
    summary: 'With the credentials in the body',
    value: {
      grant_type: 'client_credentials',
      client_id: '019a8f2c-91d4-7f3a-8c55-0a1b2c3d4e5f',
      client_secret: 'mQ0v3Zr1YwXk8uT5sNf2LdGhJcPbEaRiOoKlMnBvCxZ',
    },
  },
};

/** What a token request is answered. */
export const ACCESS_TOKEN_EXAMPLE = {
  access_token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIwMTlhOGYyYyJ9.c2lnbmF0dXJl',
  token_type: 'Bearer',
  expires_in: 3600,
  scope: SCOPE,
};

/** What is told of the keys, and of the server that has them. */
export const TOKEN_EXAMPLES = {
  keys: {
    keys: [
      {
        kty: 'EC',
        crv: 'P-256',
        x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
        y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
        kid: 'k1',
        alg: 'ES256',
        use: 'sig',
      },
    ],
  },
  server: authorizationServer({ issuer: 'https://crm.example.com' }),
};

function failing(field: string, message: string): Failures {
  const failures = new Failures();
  failures.add(() => ({ field, message }));
  return failures;
}

const REFUSALS: readonly DomainError[] = [
  tokenError('invalid_request', failing('client_secret', 'client_secret is required')),
  tokenError('unsupported_grant_type', failing('grant_type', 'grant_type must be client_credentials')),
  tokenError('invalid_scope', failing('scope', 'scope must be one or more of: records:read dispatch')),
  invalidClient(true),
  tooManyFailures(42),
  new DomainError('method_not_allowed', 'GET is not allowed here; allowed: POST'),
  new DomainError('too_large', 'The body is larger than 8192 bytes'),
  new DomainError(
    'unsupported_media_type',
    'The Content-Type must be application/json or application/x-www-form-urlencoded',
  ),
];

/** Returns the examples of the refusals of a token request, by their word. @param status of the answer */
export function tokenRefusals(status: number): Record<string, { summary: string; value: object }> {
  const known = REFUSALS.filter((error) => error.status === status).map(describeTokenError);
  return Object.fromEntries(
    known.map((error) => [
      error.code,
      { summary: error.message, value: { ...errorObject(error), request_id: REQUEST_ID } },
    ]),
  );
}

import { TOKEN_ERROR_CODES } from '../errors/domain-error.js';
import {
  closedObject,
  errorSchema,
  integer,
  listOf,
  text,
  wordOf,
  type Schema,
  type Schemas,
  type SecuritySchemes,
} from '../http/index.js';
import { authorizationServer } from './keys/well-known.controller.js';
import { SCOPE_MEANINGS, SCOPES } from './scope.js';
import { TOKEN_ENDPOINT } from './token-request.js';

const SCOPE = 'records:read records:write routers:read directory:read dispatch';

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

const SCOPE_LIST: Schema = { type: 'string', maxLength: 1_000, pattern: '^[a-z: ]*$' };
const ADDRESS: Schema = { type: 'string', format: 'uri', maxLength: 2_000 };

/** The schemas of token issuance in the OpenAPI document. */
export function authSchemas(): Schemas {
  return {
    TokenRequest: closedObject(
      {},
      {
        grant_type: wordOf(['client_credentials'], 'May be left out'),
        // Forms of pages begin with the example: an empty one counts as left out.
        client_id: { ...text('Here or as HTTP Basic'), examples: [''] },
        client_secret: { ...text('Here or as HTTP Basic'), format: 'password', examples: [''] },
        scope: {
          ...SCOPE_LIST,
          examples: [''],
          description: `Space-separated; narrows the token. Known: ${SCOPES.join(' ')}`,
        },
      },
    ),
    Token: {
      ...closedObject({
        access_token: {
          type: 'string',
          maxLength: 4_096,
          pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$',
          description: 'A JWT (RFC 9068)',
        },
        token_type: wordOf(['Bearer']),
        expires_in: { ...integer(1), description: 'Seconds' },
        scope: { ...SCOPE_LIST, description: 'Space-separated' },
      }),
      examples: [
        {
          access_token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIwMTlhOGYyYyJ9.c2lnbmF0dXJl',
          token_type: 'Bearer',
          expires_in: 3600,
          scope: SCOPE,
        },
      ],
    },
    KeySet: {
      ...closedObject({
        keys: listOf(
          { type: 'object', additionalProperties: text('A member of a JWK (RFC 7517)'), maxProperties: 20 },
          100,
        ),
      }),
      examples: [
        {
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
      ],
    },
    AuthorizationServer: {
      ...closedObject({
        issuer: { ...text('The `iss` of access tokens', 2_000), format: 'uri' },
        token_endpoint: ADDRESS,
        jwks_uri: ADDRESS,
        scopes_supported: listOf(wordOf(SCOPES), SCOPES.length),
        response_types_supported: listOf(text('None: there is no authorization endpoint'), 0),
        grant_types_supported: listOf(wordOf(['client_credentials']), 1),
        token_endpoint_auth_methods_supported: listOf(
          wordOf(['client_secret_basic', 'client_secret_post']),
          2,
        ),
      }),
      examples: [authorizationServer('https://crm.example.com')],
    },
    TokenError: errorSchema(
      {
        error_code: wordOf(TOKEN_ERROR_CODES, 'The same as `code`, but for 429: RFC 6749 has no word for it'),
        error_description: text('The same as `message`', 200_000),
      },
      [...TOKEN_ERROR_CODES, 'rate_limited'],
    ),
  };
}

/** Returns the ways to authenticate, for the OpenAPI document. @param prefix of all routes */
export function authSecurity(prefix: string): SecuritySchemes {
  const token = 'An access token is a JWT (RFC 9068), issued and verified as RFC8725 says';
  return {
    oauth2: {
      type: 'oauth2',
      description: `With the id and the secret of a client. ${token}.`,
      flows: {
        clientCredentials: {
          tokenUrl: `${prefix}${TOKEN_ENDPOINT.path}`,
          scopes: { ...SCOPE_MEANINGS },
        },
      },
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: `With a token that you have already. ${token}.`,
    },
    basic: {
      type: 'http',
      scheme: 'basic',
      description: 'At the token endpoint alone: the id and the secret of a client (RFC 6749 section 2.3.1)',
    },
  };
}

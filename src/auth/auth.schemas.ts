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
} from '../http/index.js';
import { ACCESS_TOKEN_EXAMPLE, TOKEN_EXAMPLES } from './token.examples.js';
import { SCOPES } from './scope.js';

const SCOPE_LIST: Schema = {
  type: 'string',
  maxLength: 1_000,
  pattern: '^[a-z: ]*$',
};
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
      examples: [ACCESS_TOKEN_EXAMPLE],
    },
    KeySet: {
      ...closedObject({
        keys: listOf(
          { type: 'object', additionalProperties: text('A member of a JWK (RFC 7517)'), maxProperties: 20 },
          100,
        ),
      }),
      examples: [TOKEN_EXAMPLES.keys],
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
      examples: [TOKEN_EXAMPLES.server],
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

import { TOKEN_ERROR_CODES } from '../errors/error-codes.js';
import { closedObject, errorSchema, text, type Schemas } from '../http/index.js';
import { SCOPES } from './scope.js';

/** The schemas of token issuance in the OpenAPI document. */
export function authSchemas(): Schemas {
  return {
    TokenRequest: closedObject(
      {},
      {
        grant_type: { type: 'string', enum: ['client_credentials'] },
        client_id: text('Here or as HTTP Basic'),
        client_secret: text('Here or as HTTP Basic'),
        scope: text(`Space-separated; narrows the token. Known: ${SCOPES.join(' ')}`),
      },
    ),
    Token: closedObject({
      access_token: text('A JWT (RFC 9068)'),
      token_type: { type: 'string', enum: ['Bearer'] },
      expires_in: { type: 'integer', minimum: 1, description: 'Seconds' },
      scope: text('Space-separated'),
    }),
    KeySet: closedObject({
      keys: {
        type: 'array',
        items: { type: 'object', additionalProperties: text('A member of a JWK (RFC 7517)') },
      },
    }),
    AuthorizationServer: closedObject({
      issuer: text('The `iss` of access tokens'),
      token_endpoint: text('An address'),
      jwks_uri: text('An address'),
      scopes_supported: { type: 'array', items: { type: 'string', enum: [...SCOPES] } },
      response_types_supported: { type: 'array', items: { type: 'string' }, maxItems: 0 },
      grant_types_supported: { type: 'array', items: { type: 'string', enum: ['client_credentials'] } },
      token_endpoint_auth_methods_supported: {
        type: 'array',
        items: { type: 'string', enum: ['client_secret_basic', 'client_secret_post'] },
      },
    }),
    TokenError: errorSchema(
      {
        error_code: {
          type: 'string',
          enum: [...TOKEN_ERROR_CODES],
          description: 'The same as `code`, but for 429: RFC 6749 has no word for it',
        },
        error_description: { type: 'string' },
      },
      [...TOKEN_ERROR_CODES, 'rate_limited'],
    ),
  };
}

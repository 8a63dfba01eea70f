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
    TokenError: errorSchema(
      {
        error_code: { type: 'string', enum: [...TOKEN_ERROR_CODES], description: 'The same as `code`' },
        error_description: { type: 'string' },
      },
      TOKEN_ERROR_CODES,
    ),
  };
}

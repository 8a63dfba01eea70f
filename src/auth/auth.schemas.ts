import type { OpenAPIObject } from '@nestjs/swagger';
import { SCOPES } from './scope.js';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

const text = (description: string): object => ({ type: 'string', description });

/** The schemas of token issuance in the OpenAPI document. */
export function authSchemas(): Schemas {
  return {
    TokenRequest: {
      type: 'object',
      additionalProperties: false,
      properties: {
        grant_type: { type: 'string', enum: ['client_credentials'] },
        client_id: text('Here or as HTTP Basic'),
        client_secret: text('Here or as HTTP Basic'),
        scope: text(`Space-separated; narrows the token. Known: ${SCOPES.join(' ')}`),
      },
    },
    Token: {
      type: 'object',
      required: ['access_token', 'token_type', 'expires_in', 'scope'],
      properties: {
        access_token: text('A JWT (RFC 9068)'),
        token_type: { type: 'string', enum: ['Bearer'] },
        expires_in: { type: 'integer', description: 'Seconds' },
        scope: text('Space-separated'),
      },
    },
    TokenError: {
      allOf: [
        { $ref: '#/components/schemas/Error' },
        {
          type: 'object',
          required: ['error_code', 'error_description'],
          properties: {
            error_code: {
              type: 'string',
              enum: ['invalid_client', 'invalid_request', 'unsupported_grant_type', 'invalid_scope'],
            },
            error_description: { type: 'string' },
          },
        },
      ],
    },
  };
}

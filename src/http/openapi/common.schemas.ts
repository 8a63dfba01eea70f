import type { OpenAPIObject } from '@nestjs/swagger';

/** Schemas that several features use. */
export const COMMON_SCHEMAS = {
  Error: {
    type: 'object',
    required: ['message', 'error', 'request_id'],
    properties: {
      message: { type: 'string' },
      error: { type: 'boolean', enum: [true] },
      field: { type: 'string', description: 'The one field to blame' },
      errors: {
        type: 'array',
        description: 'Every failing field of the request',
        items: {
          type: 'object',
          required: ['message'],
          properties: { field: { type: 'string' }, message: { type: 'string' } },
        },
      },
      request_id: { type: 'string', description: 'The X-Request-Id of the request' },
    },
  },
  Pagination: {
    type: 'object',
    required: ['limit', 'offset', 'count'],
    properties: {
      limit: { type: 'integer' },
      offset: { type: 'integer' },
      count: { type: 'integer', description: 'All rows that match, before limit and offset' },
    },
  },
} as unknown as NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

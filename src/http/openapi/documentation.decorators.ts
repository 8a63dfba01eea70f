import { applyDecorators } from '@nestjs/common';
import { ApiQuery, ApiResponse } from '@nestjs/swagger';

const MEANINGS = new Map([
  [400, 'Something in the request is invalid: `errors` lists every failing field'],
  [401, 'No valid token'],
  [403, 'The token lacks the scope'],
  [404, 'No such thing in this account'],
  [409, 'Duplicate of an active record (`field` names the key), or the record is archived'],
  [413, 'The body is too large'],
  [415, 'The body is not of the right media type'],
  [503, 'The database is unavailable'],
]);

/** Documents the error answers of a route. */
export const ApiErrors = (...statuses: number[]): MethodDecorator =>
  applyDecorators(
    ...statuses.map((status) =>
      ApiResponse({
        status,
        description: MEANINGS.get(status) ?? '',
        schema: { $ref: '#/components/schemas/Error' },
      }),
    ),
  );

/** Documents `limit`, `offset` and `archived` of a list. */
export const ApiPageQuery = (): MethodDecorator =>
  applyDecorators(
    ApiQuery({
      name: 'limit',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
    }),
    ApiQuery({ name: 'offset', required: false, schema: { type: 'integer', minimum: 0, default: 0 } }),
    ApiQuery({
      name: 'archived',
      required: false,
      schema: { type: 'boolean', default: false },
      description: 'true includes archived rows',
    }),
  );

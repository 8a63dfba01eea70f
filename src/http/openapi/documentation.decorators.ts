import { applyDecorators } from '@nestjs/common';
import { ApiQuery, ApiResponse } from '@nestjs/swagger';
import { errorExamples } from './error-examples.js';
import { reference } from './schemas.js';

const MEANINGS = new Map([
  [400, 'Something in the request is invalid: `errors` lists all of it'],
  [401, 'No valid token'],
  [403, 'The token lacks the scope'],
  [404, 'No such thing in this account'],
  [409, 'Duplicate of what is active (`existing_id`), archived, in use, or unable to run: `code` says which'],
  [413, 'The body is too large'],
  [415, 'The body is not of the right media type'],
  [429, 'Too many requests of the client, or of its account: try again after `Retry-After`'],
  [500, 'A fault of the service; its log has the cause under the request id'],
  [503, 'Unavailable for the moment: the database, or the service itself'],
]);

/** Those of every route that needs the database. */
const ALWAYS = [500, 503];

interface ErrorAnswer {
  readonly description: string;
  readonly content: Record<
    string,
    { schema: ReturnType<typeof reference>; examples: ReturnType<typeof errorExamples> }
  >;
}

/** The description of the error answers with a status. */
export const errorAnswer = (status: number): ErrorAnswer => ({
  description: MEANINGS.get(status) ?? '',
  content: { 'application/json': { schema: reference('Error'), examples: errorExamples(status) } },
});

/** Documents the error answers of a route: these, and those that any route may give. */
export const ApiErrors = (...statuses: number[]): MethodDecorator =>
  applyDecorators(
    ...[...statuses, ...ALWAYS].map((status) => ApiResponse({ status, ...errorAnswer(status) })),
  );

/** Documents `limit` of a list. */
export const ApiLimit = (): MethodDecorator =>
  ApiQuery({
    name: 'limit',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
  });

/** Documents `limit` and `offset` of a list. */
export const ApiPageRange = (): MethodDecorator =>
  applyDecorators(
    ApiLimit(),
    ApiQuery({ name: 'offset', required: false, schema: { type: 'integer', minimum: 0, default: 0 } }),
  );

/** Documents a text that a list is filtered by. @param format of JSON Schema, such as `date-time` */
export const ApiFilter = (name: string, description: string, format?: string): MethodDecorator =>
  ApiQuery({
    name,
    required: false,
    description,
    schema: { type: 'string', ...(format === undefined ? {} : { format }) },
  });

/** Documents `limit`, `offset` and `archived` of a list. */
export const ApiPageQuery = (): MethodDecorator =>
  applyDecorators(
    ApiPageRange(),
    ApiQuery({
      name: 'archived',
      required: false,
      schema: { type: 'boolean', default: false },
      description: 'true includes archived rows',
    }),
  );

/** Documents `after` of a list. */
export const ApiAfter = (): MethodDecorator =>
  ApiQuery({
    name: 'after',
    required: false,
    schema: { type: 'string' },
    description:
      'The `next` of the page before, for the page behind it. Not together with `offset`. A page ends early, ' +
      'with fewer rows than `limit`, where its answer would exceed 10 MiB.',
  });

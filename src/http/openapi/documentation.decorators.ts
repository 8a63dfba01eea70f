import { applyDecorators } from '@nestjs/common';
import { PAGE_ROWS } from '../../paging/index.js';
import { CURSOR } from './common.schemas.js';
import { errorAnswer } from './error-answers.js';
import { ID, integer, type Schema } from './schemas.js';
import { ApiHeader, ApiParam, ApiQuery, ApiResponse } from '@nestjs/swagger';

/** Those of every route that needs the database. */
const ALWAYS = [500, 503];

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
    schema: { ...integer(1, PAGE_ROWS), default: 10 },
    description: 'The most rows of the page',
  });

/** Documents `limit` and `offset` of a list. */
export const ApiPageRange = (): MethodDecorator =>
  applyDecorators(
    ApiLimit(),
    ApiQuery({
      name: 'offset',
      required: false,
      schema: { ...integer(0), default: 0 },
      description: 'How many rows to skip. Not together with `after`',
    }),
  );

/** Documents what a list is filtered by. */
export const ApiFilter = (name: string, description: string, schema: Schema): MethodDecorator =>
  ApiQuery({ name, required: false, description, schema });

/** Documents the id of an item in its path. */
export const ApiId = (name: string): MethodDecorator => ApiParam({ name, schema: ID });

const TAGS: Schema = { type: 'string', minLength: 1, maxLength: 8_000, pattern: '^[ -~]+$' };

/** Documents `If-Match` of a write. */
export const ApiIfMatch = (): MethodDecorator =>
  ApiHeader({
    name: 'If-Match',
    required: false,
    schema: TAGS,
    description: 'The ETag of the record as it was read: 412 where it has changed since',
  });

/** Documents `If-None-Match`. */
export const ApiIfNoneMatch = (description: string): MethodDecorator =>
  ApiHeader({ name: 'If-None-Match', required: false, schema: TAGS, description });

/** Documents `Idempotency-Key`. */
export const ApiIdempotencyKey = (): MethodDecorator =>
  ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
    description:
      'Any text that is new for each thing to do. A request that is sent again with its key does nothing, and is ' +
      'answered as before for 24 hours, with `Idempotency-Replayed: true`',
  });

/** The header of an answer that is one record. */
export const ETAG = { ETag: { $ref: '#/components/headers/ETag' } };

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
    schema: CURSOR,
    description:
      'The `next` of the page before, for the page behind it. Not together with `offset`. A page ends early, ' +
      'with fewer rows than `limit`, where its answer would exceed 10 MiB.',
  });

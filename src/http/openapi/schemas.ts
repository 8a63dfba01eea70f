import { PAGE_ROWS } from '../../paging/index.js';
import type { OpenAPIObject } from '@nestjs/swagger';
import { MAX_VALUES } from '../body/json-bounds.js';

/** Schemas by name: those of the OpenAPI document, or those of an object's keys. */
export type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
export type Schema = Exclude<Schemas[string], { $ref: string }>;

export const reference = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

/** PostgreSQL stores no NUL, so that no text of the service has one. */
const WITHOUT_NUL = '^[^\\u0000]*$';

/** The schema of a text. @param maxLength the most characters that it has */
export const text = (description: string, maxLength = 1_000): Schema => ({
  type: 'string',
  maxLength,
  pattern: WITHOUT_NUL,
  description,
});

/** The schema of one of some words. */
export const wordOf = (words: readonly string[], description?: string): Schema => ({
  type: 'string',
  enum: [...words],
  ...(description === undefined ? {} : { description }),
});

/** The name of something that is configured. */
export const NAME: Schema = { type: 'string', minLength: 1, maxLength: 200, pattern: WITHOUT_NUL };

export const EMAIL: Schema = { type: 'string', format: 'email', maxLength: 254 };

export const ID: Schema = { type: 'string', format: 'uuid', minLength: 36, maxLength: 36 };

/** An instant in an answer. */
export const TIME: Schema = {
  type: 'string',
  format: 'date-time',
  maxLength: 24,
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
};

/** An instant in a request. */
export const INSTANT: Schema = { type: 'string', format: 'date-time', maxLength: 100 };

/** The schema of an integer. @param maximum unless given, the greatest that JSON holds exactly everywhere */
export const integer = (minimum: number, maximum = Number.MAX_SAFE_INTEGER): Schema => ({
  type: 'integer',
  format: maximum < 2 ** 31 ? 'int32' : 'int64',
  minimum,
  maximum,
});

/** The schema of a list. @param maxItems unless given, what a body can hold */
export const listOf = (items: Schemas[string], maxItems = MAX_VALUES): Schema => ({
  type: 'array',
  maxItems,
  items,
});

/** The schema of what may be null. @param schema of a single type */
export const orNull = (schema: Schema): Schema => ({ ...schema, type: [schema.type as string, 'null'] });

/** The schema of `archived`: false, or the time when it was. */
export const ARCHIVED: Schema = { oneOf: [{ type: 'boolean', enum: [false] }, TIME] };

/** The schema of an object with these keys and no others. @param optional the keys that may be missing */
export function closedObject(required: Schemas, optional: Schemas = {}): Schema {
  return {
    type: 'object',
    required: Object.keys(required),
    properties: { ...required, ...optional },
    additionalProperties: false,
  };
}

/** The schema of a list. @param name that of the schema of its rows @param row an example of one */
export function pageOf(name: string, row?: object): Schema {
  const page = closedObject({
    data: listOf(reference(name), PAGE_ROWS),
    pagination: reference('Pagination'),
  });
  const pagination = { limit: 10, offset: 0, count: 1, next: null };
  return row === undefined ? page : { ...page, examples: [{ data: [row], pagination }] };
}

import type { OpenAPIObject } from '@nestjs/swagger';
import { ERROR_CODES } from '../../errors/domain-error.js';
import { MAX_ERRORS } from '../../errors/errors.js';
import { PAGE_ROWS } from '../../paging/index.js';
import { MAX_VALUES } from '../body/json.js';

/** Schemas by name: those of the OpenAPI document, or those of an object's keys. */
export type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
export type Schema = Exclude<Schemas[string], { $ref: string }>;

export const reference = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

/** PostgreSQL stores no NUL, so that no text of the service has one. */
const WITHOUT_NUL = '^[^\\u0000]*$';

/** The characters of the id of a request. */
export const REQUEST_ID_PATTERN = '^[A-Za-z0-9._:/+=@-]+$';

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

/** An address whose domain may be in Unicode. */
export const EMAIL: Schema = { type: 'string', format: 'idn-email', maxLength: 254 };

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

const EXISTING_ID: Schema = { ...ID, description: 'Of a duplicate: the active record that has the key' };

/** A message that lists options has the most: 1,000 of 100 characters. */
const MESSAGE = text('A sentence for people', 200_000);

const FIELD = text('The one field to blame');

/** What an error object may have besides: the fields that failed, and what is special about it. */
export const FAILING_FIELDS: Schemas = {
  field: FIELD,
  existing_id: EXISTING_ID,
  errors: {
    ...listOf(reference('FieldError'), MAX_ERRORS),
    description: 'Everything in the request that fails: parameters, keys and fields, up to 100',
  },
  errors_omitted: { ...integer(1), description: 'How many more failures there are than errors lists' },
};

/** The keys that every error object has. @param codes the words that `code` may be */
export function errorProperties(codes: readonly string[] = ERROR_CODES): Schemas {
  return {
    message: MESSAGE,
    error: { type: 'boolean', enum: [true] },
    code: wordOf(codes, 'A stable word: decide by it, not by the message'),
    request_id: {
      type: 'string',
      maxLength: 128,
      pattern: REQUEST_ID_PATTERN,
      description: 'The X-Request-Id of the request',
    },
  };
}

/** The schema of the error object. @param more keys that are always there beside its own */
export function errorSchema(more: Schemas = {}, codes?: readonly string[]): Schema {
  return closedObject({ ...errorProperties(codes), ...more }, FAILING_FIELDS);
}

/** `after` and `next` of pages. */
export const CURSOR: Schema = { type: 'string', maxLength: 100, pattern: '^[A-Za-z0-9_-]+$' };

/** `next` of a page. */
export const NEXT: Schema = {
  ...orNull(CURSOR),
  description: '`after` for the next page; null on the last page',
};

const CHANGED_PATH =
  'The key that changed, from the object downwards: `settings.overwrite`. That of the draft of a router, which ' +
  'nothing runs, begins with `draft.`: `draft.settings.overwrite`. Not of the object itself: `note` of a ' +
  'publication, `overlap_seconds` of a rotation, and `orphan` of a user archived in spite of what may name them';

/** `changes` of an answer to a dry run (contract section 6). */
export const CHANGED_VALUES: Schema = {
  ...listOf(reference('ValueChange')),
  description: 'Only with `dry_run=true`: the values that would change',
};

/** Schemas that belong to no single feature. */
export const COMMON_SCHEMAS: Schemas = {
  ValueChange: closedObject({
    path: text(CHANGED_PATH),
    from: { description: 'The value before; null for none' },
    to: { description: 'The value afterwards; null for none' },
  }),
  Error: errorSchema(),
  FieldError: closedObject(
    { message: MESSAGE },
    {
      index: { ...integer(0), description: 'Of a batch: number of the input, from 0' },
      field: FIELD,
      existing_id: EXISTING_ID,
    },
  ),
  Pagination: closedObject({
    limit: integer(1, PAGE_ROWS),
    offset: integer(0),
    count: { ...integer(0), description: 'All rows that match, before limit and offset' },
    next: NEXT,
  }),
};

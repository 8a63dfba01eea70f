import { ERROR_CODES } from '../../errors/error-codes.js';
import { MAX_ERRORS } from '../../errors/errors.js';
import { PAGE_ROWS } from '../../paging/index.js';
import {
  closedObject,
  ID,
  integer,
  listOf,
  orNull,
  reference,
  text,
  wordOf,
  type Schema,
  type Schemas,
} from './schemas.js';

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
      pattern: '^[A-Za-z0-9._:/+=@-]+$',
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

/** Schemas that belong to no single feature. */
export const COMMON_SCHEMAS: Schemas = {
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

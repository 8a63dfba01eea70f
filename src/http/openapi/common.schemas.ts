import { ERROR_CODES } from '../../errors/error-codes.js';
import { MAX_ERRORS } from '../../errors/errors.js';
import { closedObject, ID, reference, text, type Schema, type Schemas } from './schemas.js';

const EXISTING_ID: Schema = { ...ID, description: 'Of a duplicate: the active record that has the key' };

/** What an error object may have besides: the fields that failed, and what is special about it. */
export const FAILING_FIELDS: Schemas = {
  field: text('The one field to blame'),
  existing_id: EXISTING_ID,
  errors: {
    type: 'array',
    description: 'Everything in the request that fails: parameters, keys and fields, up to 100',
    maxItems: MAX_ERRORS,
    items: reference('FieldError'),
  },
  errors_omitted: {
    type: 'integer',
    minimum: 1,
    description: 'How many more failures there are than errors lists',
  },
};

/** The keys that every error object has. @param codes the words that `code` may be */
export function errorProperties(codes: readonly string[] = ERROR_CODES): Schemas {
  return {
    message: { type: 'string' },
    error: { type: 'boolean', enum: [true] },
    code: {
      type: 'string',
      enum: [...codes],
      description: 'A stable word: decide by it, not by the message',
    },
    request_id: text('The X-Request-Id of the request'),
  };
}

/** The schema of the error object. @param more keys that are always there beside its own */
export function errorSchema(more: Schemas = {}, codes?: readonly string[]): Schema {
  return closedObject({ ...errorProperties(codes), ...more }, FAILING_FIELDS);
}

/** Schemas that belong to no single feature. */
export const COMMON_SCHEMAS: Schemas = {
  Error: errorSchema(),
  FieldError: closedObject(
    { message: { type: 'string' } },
    { field: { type: 'string' }, existing_id: EXISTING_ID },
  ),
  Pagination: closedObject({
    limit: { type: 'integer', minimum: 1, maximum: 100 },
    offset: { type: 'integer', minimum: 0 },
    count: { type: 'integer', minimum: 0, description: 'All rows that match, before limit and offset' },
    next: { type: ['string', 'null'], description: '`after` for the next page; null on the last page' },
  }),
};

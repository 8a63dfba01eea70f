import { MAX_ERRORS } from '../../errors/errors.js';
import { closedObject, reference, text, type Schema, type Schemas } from './schemas.js';

/** What an error object may have besides: the fields that failed, and what is special about it. */
export const FAILING_FIELDS: Schemas = {
  field: text('The one field to blame'),
  errors: {
    type: 'array',
    description: 'Every failing field of the request, up to 100',
    maxItems: MAX_ERRORS,
    items: reference('FieldError'),
  },
  errors_omitted: {
    type: 'integer',
    minimum: 1,
    description: 'How many more failures there are than errors lists',
  },
  code: {
    type: 'string',
    enum: ['outcome_unknown'],
    description: 'With a 503 that has no Retry-After: the write may or may not have happened',
  },
};

/** The schema of the error object. @param more keys that are always there beside its own */
export function errorObject(more: Schemas = {}): Schema {
  return closedObject(
    {
      message: { type: 'string' },
      error: { type: 'boolean', enum: [true] },
      ...more,
      request_id: text('The X-Request-Id of the request'),
    },
    FAILING_FIELDS,
  );
}

/** Schemas that belong to no single feature. */
export const COMMON_SCHEMAS: Schemas = {
  Error: errorObject(),
  FieldError: closedObject({ message: { type: 'string' } }, { field: { type: 'string' } }),
  Pagination: closedObject({
    limit: { type: 'integer', minimum: 1, maximum: 100 },
    offset: { type: 'integer', minimum: 0 },
    count: { type: 'integer', minimum: 0, description: 'All rows that match, before limit and offset' },
    next: { type: ['string', 'null'], description: '`after` for the next page; null on the last page' },
  }),
};

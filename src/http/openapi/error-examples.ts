import { DomainError } from '../../errors/domain-error.js';
import * as errors from '../../errors/errors.js';
import { errorBody } from '../errors/error-body.js';

const REQUEST_ID = '019a8f3e-2b7c-7d10-9e42-5f6a7b8c9d0e';
const EXISTING_ID = '019a8f2c-91d4-7f3a-8c55-0a1b2c3d4e5f';

const UNKNOWN_FIELD = { field: 'emial', message: 'Unknown field: emial' };
const TAKEN = {
  field: 'email',
  message: 'A contact with this email already exists',
  existing_id: EXISTING_ID,
};

/** One error of each kind that a client may meet. */
const EXAMPLES: readonly DomainError[] = [
  errors.invalidField('limit', 'limit must be an integer from 1 to 100'),
  errors.invalid([UNKNOWN_FIELD, { field: 'amount', message: 'amount must be a finite number' }], {
    code: 'invalid_fields',
  }),
  errors.unauthorized('Unauthorized: invalid or expired token'),
  new DomainError('insufficient_scope', 'This token lacks the scope records:write'),
  errors.notFound('Contact not found'),
  new DomainError('method_not_allowed', 'PUT is not allowed here; allowed: GET, HEAD, POST'),
  new DomainError('duplicate', TAKEN.message, {
    field: TAKEN.field,
    existingId: EXISTING_ID,
    errors: [TAKEN],
  }),
  errors.conflict('The team Sales is in use: the router Inbound'),
  errors.archived('This contact is archived and cannot be changed'),
  errors.notArchived('This contact is active'),
  errors.preconditionFailed('The contact is no longer as If-Match says'),
  new DomainError('too_large', 'The body is larger than 1048576 bytes'),
  new DomainError('unsupported_media_type', 'The Content-Type must be application/json'),
  errors.idempotencyInProgress(),
  new DomainError('idempotency_key_reused', 'Another request has had this Idempotency-Key'),
  errors.rateLimited('Too many requests: the client may send 6000 requests a minute', 42),
  errors.internal(),
  errors.unavailable('The database is unavailable, try again shortly'),
  errors.outcomeUnknown(),
];

/** The examples of the OpenAPI document, by the word of the error. */
export const ERROR_EXAMPLES = Object.fromEntries(
  EXAMPLES.map((error) => [error.code, { summary: error.message, value: errorBody(error, REQUEST_ID) }]),
);

/** Returns references to the examples of the error answers with a status, by the word of the error. */
export function errorExamples(status: number): Record<string, { $ref: string }> {
  const known = EXAMPLES.filter((error) => error.status === status);
  return Object.fromEntries(known.map(({ code }) => [code, { $ref: `#/components/examples/${code}` }]));
}

import type { OpenAPIObject } from '@nestjs/swagger';
import { DomainError } from '../../errors/domain-error.js';
import * as errors from '../../errors/errors.js';
import { DuplicateError } from '../../errors/duplicate.error.js';
import { errorBody } from '../errors/error-body.js';
import { integer, reference, REQUEST_ID_PATTERN, text } from './schemas.js';

type Components = NonNullable<OpenAPIObject['components']>;
type Headers = NonNullable<Components['headers']>;
type Responses = NonNullable<Components['responses']>;

/** The headers of the document. An answer refers to those that it may have. */
export const HEADERS: Headers = {
  'X-Request-Id': {
    description: 'The id of the request: the one that it was sent with, or a new one',
    schema: { type: 'string', minLength: 1, maxLength: 128, pattern: REQUEST_ID_PATTERN },
    required: true,
  },
  'RateLimit-Limit': {
    description:
      'Of a request with a good token, where there is a limit. Requests a minute: the limit of the client, or of ' +
      'its account where less of that is left',
    schema: integer(1),
  },
  'RateLimit-Remaining': {
    description: 'How many requests of `RateLimit-Limit` are left',
    schema: integer(0),
  },
  'RateLimit-Reset': {
    description: 'Seconds until all of `RateLimit-Limit` is left again',
    schema: integer(1),
  },
  'Retry-After': { description: 'Seconds after which to try again', schema: integer(1) },
  'WWW-Authenticate': {
    description: 'How to authenticate, and with a 403 the scope that is needed (RFC 6750)',
    schema: text('Such as `Bearer error="insufficient_scope", scope="records:write"`'),
  },
  Allow: { description: 'The methods that the path has', schema: text('Such as `GET, HEAD, POST`') },
  Location: {
    description: 'The path of what was created',
    schema: { type: 'string', format: 'uri-reference', maxLength: 2_000 },
  },
  ETag: {
    description: 'Of an answer that is one record: differs after each change of the record',
    schema: { type: 'string', minLength: 3, maxLength: 40, pattern: '^"\\d{1,18}-[0-9a-f]{8}"$' },
  },
  'Idempotency-Replayed': {
    description: '`true` on the answer of an earlier request with the same `Idempotency-Key`',
    schema: { type: 'string', enum: ['true'] },
  },
  'Access-Control-Allow-Origin': {
    description: 'Only to a page of an origin that the service lets in (`CORS_ORIGINS`): that origin',
    schema: { type: 'string', format: 'uri', maxLength: 300 },
  },
};

/** Headers of answers with a status, beside those of every answer. */
const HEADERS_BY_STATUS: Readonly<Record<string, readonly string[]>> = {
  201: ['Location'],
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Returns references to headers of the document. */
export const headers = (...names: readonly string[]): Headers =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/**
 * Returns references to the headers of the answers with a status.
 * @param counted whether the request has a token: one without a good token is counted for nobody
 */
export function headersOf(status: string, counted: boolean): Headers {
  const limits =
    counted && status !== '401' ? ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] : [];
  const own = HEADERS_BY_STATUS[status] ?? [];
  return headers('X-Request-Id', 'Access-Control-Allow-Origin', ...limits, ...own);
}

const REQUEST_ID = '019a8f3e-2b7c-7d10-9e42-5f6a7b8c9d0e';
const EXISTING_ID = '019a8f2c-91d4-7f3a-8c55-0a1b2c3d4e5f';

const UNKNOWN_AND_BAD = [
  { field: 'emial', message: 'Unknown field: emial' },
  { field: 'amount', message: 'amount must be a finite number' },
];

/** The errors of one status. */
interface ErrorAnswer {
  readonly description: string;
  /** One of each code. */
  readonly examples: readonly DomainError[];
}

/** What the errors of each status mean, by the name of the answer that operations refer to. */
const ERRORS: Readonly<Record<string, ErrorAnswer>> = {
  Invalid: {
    description: 'Something in the request is invalid: `errors` lists all of it',
    examples: [
      errors.invalidField('limit', 'limit must be an integer from 1 to 100'),
      errors.invalid(UNKNOWN_AND_BAD, { code: 'invalid_fields' }),
    ],
  },
  Unauthorized: {
    description: 'No valid token',
    examples: [errors.unauthorized('Unauthorized: invalid or expired token')],
  },
  Forbidden: {
    description: 'The token lacks the scope',
    examples: [new DomainError('insufficient_scope', 'This token lacks the scope records:write')],
  },
  NotFound: {
    description: 'No such thing in this account',
    examples: [errors.notFound('Contact not found')],
  },
  MethodNotAllowed: {
    description: 'The path has no such method: `Allow` names those it has',
    examples: [new DomainError('method_not_allowed', 'PUT is not allowed here; allowed: GET, HEAD, POST')],
  },
  Conflict: {
    description:
      'Duplicate of what is active (`existing_id`), archived, in use, or unable to run: `code` says which',
    examples: [
      new DuplicateError('contact', [{ field: 'email', existingId: EXISTING_ID }]),
      errors.conflict('The team Sales is in use: the router Inbound'),
      errors.archived('This contact is archived and cannot be changed'),
      errors.notArchived('This contact is active'),
      errors.idempotencyInProgress(),
    ],
  },
  PreconditionFailed: {
    description: 'The record is not as `If-Match` or `If-None-Match` says',
    examples: [errors.preconditionFailed('The contact is no longer as If-Match says')],
  },
  TooLarge: {
    description: 'The body is too large',
    examples: [new DomainError('too_large', 'The body is larger than 1048576 bytes')],
  },
  UnsupportedMediaType: {
    description: 'The body is not of the right media type',
    examples: [new DomainError('unsupported_media_type', 'The Content-Type must be application/json')],
  },
  KeyReused: {
    description: 'Another request has had this `Idempotency-Key`',
    examples: [new DomainError('idempotency_key_reused', 'Another request has had this Idempotency-Key')],
  },
  TooManyRequests: {
    description: 'Too many requests of the client, or of its account: try again after `Retry-After`',
    examples: [errors.rateLimited('Too many requests: the client may send 6000 requests a minute', 42)],
  },
  Internal: {
    description: 'A fault of the service; its log has the cause under the request id',
    examples: [errors.internal()],
  },
  Unavailable: {
    description: 'Unavailable for the moment: the database, or the service itself',
    examples: [errors.unavailable('The database is unavailable, try again shortly'), errors.outcomeUnknown()],
  },
};

const statusOf = ({ examples: [first] }: ErrorAnswer): string => String(first?.status);

/** References to the error answers of the document, by status. */
export const ERROR_REFERENCES: Readonly<Record<string, { $ref: string }>> = Object.fromEntries(
  Object.entries(ERRORS).map(([name, each]) => [statusOf(each), { $ref: `#/components/responses/${name}` }]),
);

/** The error answers of the document, by name. */
export const ERROR_ANSWERS: Responses = Object.fromEntries(
  Object.entries(ERRORS).map(([name, each]) => {
    const { description, examples } = each;
    const json = { schema: reference('Error'), examples: examplesOf(examples.map(({ code }) => code)) };
    const content = { 'application/json': json };
    return [name, { description, content, headers: headersOf(statusOf(each), true) }];
  }),
);

/** The examples of errors of the document, by their code. */
export const ERROR_EXAMPLES = Object.fromEntries(
  Object.values(ERRORS)
    .flatMap(({ examples }) => examples)
    .map((error) => [error.code, { summary: error.message, value: errorBody(error, REQUEST_ID) }]),
);

/** Returns references to examples of the document. */
export function examplesOf(names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }]));
}

import type { OpenAPIObject } from '@nestjs/swagger';
import { integer, text } from './schemas.js';

type Headers = NonNullable<NonNullable<OpenAPIObject['components']>['headers']>;

/** The headers of the document. An answer refers to those that it may have. */
export const HEADERS: Headers = {
  'X-Request-Id': {
    description: 'The id of the request: the one that it was sent with, or a new one',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: 128,
      pattern: '^[A-Za-z0-9._:/+=@-]+$',
    },
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

/** That of the answers of an operation that takes an `Idempotency-Key`. */
export const REPLAYED = { 'Idempotency-Replayed': { $ref: '#/components/headers/Idempotency-Replayed' } };

/** Those of every answer. */
const ALWAYS = ['X-Request-Id', 'Access-Control-Allow-Origin'];
const RATE_LIMITS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** Those of answers with a status, beside the others. */
const BY_STATUS: Readonly<Record<string, readonly string[]>> = {
  201: ['Location'],
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/**
 * Returns references to the headers of the answers with a status.
 * @param counted whether the request has a token: one without a good token is counted for nobody
 */
export function headersOf(status: string, counted: boolean): Headers {
  const names = [
    ...ALWAYS,
    ...(counted && status !== '401' ? RATE_LIMITS : []),
    ...(BY_STATUS[status] ?? []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

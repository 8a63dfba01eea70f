import type { OpenAPIObject } from '@nestjs/swagger';
import { errorExamples } from './error-examples.js';
import { headersOf } from './headers.js';
import { reference } from './schemas.js';

type Responses = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>;

interface Meaning {
  /** Of the answer, among those of the document. */
  readonly name: string;
  readonly description: string;
}

/** What the errors of each status mean. */
export const MEANINGS: ReadonlyMap<number, Meaning> = new Map([
  [400, { name: 'Invalid', description: 'Something in the request is invalid: `errors` lists all of it' }],
  [401, { name: 'Unauthorized', description: 'No valid token' }],
  [403, { name: 'Forbidden', description: 'The token lacks the scope' }],
  [404, { name: 'NotFound', description: 'No such thing in this account' }],
  [405, { name: 'MethodNotAllowed', description: 'The path has no such method: `Allow` names those it has' }],
  [
    409,
    {
      name: 'Conflict',
      description:
        'Duplicate of what is active (`existing_id`), archived, in use, or unable to run: `code` says which',
    },
  ],
  [
    412,
    { name: 'PreconditionFailed', description: 'The record is not as `If-Match` or `If-None-Match` says' },
  ],
  [413, { name: 'TooLarge', description: 'The body is too large' }],
  [415, { name: 'UnsupportedMediaType', description: 'The body is not of the right media type' }],
  [422, { name: 'KeyReused', description: 'Another request has had this `Idempotency-Key`' }],
  [
    429,
    {
      name: 'TooManyRequests',
      description: 'Too many requests of the client, or of its account: try again after `Retry-After`',
    },
  ],
  [
    500,
    { name: 'Internal', description: 'A fault of the service; its log has the cause under the request id' },
  ],
  [
    503,
    { name: 'Unavailable', description: 'Unavailable for the moment: the database, or the service itself' },
  ],
]);

interface ErrorAnswer {
  readonly description: string;
  readonly content: Record<
    string,
    { schema: ReturnType<typeof reference>; examples: ReturnType<typeof errorExamples> }
  >;
}

/** The description of the error answers with a status. */
export const errorAnswer = (status: number): ErrorAnswer => ({
  description: MEANINGS.get(status)?.description ?? '',
  content: { 'application/json': { schema: reference('Error'), examples: errorExamples(status) } },
});

/** The error answers of the document, by name: the operations refer to them. */
export const ERROR_ANSWERS: Responses = Object.fromEntries(
  [...MEANINGS].map(([status, { name }]) => [
    name,
    { ...errorAnswer(status), headers: headersOf(String(status), true) },
  ]),
);

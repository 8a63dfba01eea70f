import type { OpenAPIObject } from '@nestjs/swagger';
import { errorAnswer } from './documentation.decorators.js';
import { operationsOf, type Operation } from './operations.js';

type Headers = NonNullable<NonNullable<OpenAPIObject['components']>['headers']>;

const seconds = (description: string): Headers[string] => ({
  description,
  schema: { type: 'integer', minimum: 1 },
});

/** The header of an answer that asks the client to wait. */
export const RETRY_AFTER = { 'Retry-After': seconds('Seconds after which to try again') };

/** The headers of each answer to a request whose token is good, but where there is no limit. */
export const RATE_LIMIT_HEADERS: Headers = {
  'RateLimit-Limit': {
    description: 'Requests a minute: the limit of the client, or of its account where less of that is left',
    schema: { type: 'integer', minimum: 1 },
  },
  'RateLimit-Remaining': {
    description: 'How many requests of `RateLimit-Limit` are left',
    schema: { type: 'integer', minimum: 0 },
  },
  'RateLimit-Reset': seconds('Seconds until all of `RateLimit-Limit` is left again'),
};

const REFERENCES: Headers = Object.fromEntries(
  Object.keys(RATE_LIMIT_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

/** Adds the answer 429, and the headers of limits, to each operation that takes a bearer token. */
export function withRateLimits(document: OpenAPIObject): OpenAPIObject {
  for (const operation of operationsOf(document)) {
    if (operation.security?.some((each) => 'bearer' in each) === true) describe(operation);
  }
  return document;
}

function describe({ responses }: Operation): void {
  responses['429'] ??= { ...errorAnswer(429), headers: { ...RETRY_AFTER } };
  for (const [status, response] of Object.entries(responses)) {
    // A request without a good token is counted for nobody.
    if (status === '401' || response === undefined || '$ref' in response) continue;
    response.headers = { ...REFERENCES, ...response.headers };
  }
}

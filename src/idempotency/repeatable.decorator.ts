import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { ClientContext } from '../auth/index.js';
import { invalidField } from '../errors/errors.js';
import { ApiIdempotencyKey, documenting, requestIdOf, requestOf, responseOf } from '../http/index.js';
import { isPlainObject } from '../text/is-plain-object.js';
import { LongNumber } from '../text/long-number.js';
import type { RepeatableRequest } from './idempotent-requests.js';

/** What is used of a request of Express. */
type Request = IncomingMessage & { readonly originalUrl: string; readonly body: unknown };

const HEADER = 'Idempotency-Key';
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The headers of an answer that are kept. */
const KEPT = ['Location', 'ETag'];

/** The headers that say when a request has its effect. */
const CONDITIONS = ['if-match', 'if-none-match'] as const;

/**
 * Parameter decorator: the request as IdempotentRequests takes it. Throws 400 for a malformed
 * `Idempotency-Key`, and documents it.
 */
export const Repeatable = (): ParameterDecorator => documenting(repeatable(), ApiIdempotencyKey());

const repeatable = createParamDecorator((_: unknown, context: ExecutionContext): RepeatableRequest => {
  const request = requestOf<Request & { user: ClientContext }>(context);
  const { user: client, headers } = request;
  const key = headers['idempotency-key'];
  if (key === undefined) return { client };
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw invalidField(HEADER, `${HEADER} must have 1 to 255 visible ASCII characters`);
  }
  const response = responseOf(context);
  return {
    client,
    keyed: {
      key,
      digest: digestOf(request),
      requestId: requestIdOf(request, response),
      answered: () => ({
        status: response.statusCode,
        headers: Object.fromEntries(
          KEPT.filter((name) => response.hasHeader(name)).map((name) => [
            name,
            String(response.getHeader(name)),
          ]),
        ),
      }),
      repeat: ({ status, headers }) => {
        response.status(status).set({ ...headers, 'Idempotency-Replayed': 'true' });
      },
      forget: () => {
        for (const name of KEPT) response.removeHeader(name);
      },
    },
  };
});

/** SHA-256 of what makes a request the same as another. */
function digestOf({ method, originalUrl, body, headers }: Request): Buffer {
  const conditions = CONDITIONS.flatMap((name) => (headers[name] === undefined ? [] : [name, headers[name]]));
  const text = JSON.stringify([method, originalUrl, body ?? null, ...conditions], canonical);
  return createHash('sha256').update(text).digest();
}

/** Puts the keys of objects in one order, and gives a long number a text that no string has. */
function canonical(_: string, value: unknown): unknown {
  if (isPlainObject(value))
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  if (value instanceof LongNumber) return `\0${value.toString()}`;
  return typeof value === 'string' && value.startsWith('\0') ? `\0${value}` : value;
}

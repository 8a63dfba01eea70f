import type { ApiResponse } from './api-client.js';

/**
 * A failing field and its message: the whole text, or a pattern of it. The name is absent when no field is
 * the cause.
 */
export type Failure = readonly [field: string | undefined, message: string | RegExp];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const matching = (message: string | RegExp): unknown =>
  typeof message === 'string' ? message : expect.stringMatching(message);

/**
 * Texts that an error must never contain: stack traces, file names, SQL, tables, class names, names of
 * libraries.
 */
const LEAKS =
  /\n\s+at |node_modules|\.[jt]s:\d|SELECT |INSERT INTO|UPDATE records|records_\w+_key|_pkey|duplicate key|[a-z](Exception|Error)\b|typeorm|nestjs|postgres|express/i;

/** The word of an error by its status, where a test does not say which of several it is. */
const CODES: Readonly<Record<number, unknown>> = {
  400: expect.stringMatching(/^invalid_(request|fields)$/),
  401: 'unauthorized',
  403: 'insufficient_scope',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'too_large',
  415: 'unsupported_media_type',
  431: 'too_large',
  500: 'internal',
  503: 'unavailable',
};

/**
 * Asserts that an answer is the error object of clause 2.9 with these keys and no others.
 * @param details `message`, and the other keys in addition to `error` and `request_id`; `code` where the
 *   status does not say it
 */
export function expectError(response: ApiResponse, status: number, details: object): void {
  const { headers, body } = response;
  expect({ status: response.status, body }).toEqual({
    status,
    body: { code: CODES[status], ...details, error: true, request_id: headers.get('x-request-id') },
  });
  expect(headers.get('x-request-id')).toMatch(/^[\w.:/+=@-]{1,128}$/);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  const text = JSON.stringify(body);
  expect(text).not.toMatch(LEAKS);
  expect(/\\u[dD][89a-fA-F]/.test(text)).toBe(false);
}

/** Asserts that an answer is an error object with any message. */
export function expectSomeError(response: ApiResponse, status: number): void {
  const { field, errors, code } = response.body ?? {};
  expectError(response, status, {
    message: expect.any(String),
    ...(CODES[status] === undefined ? { code: expect.stringMatching(/^[a-z_]+$/) } : {}),
    ...(code === 'outcome_unknown' ? { code } : {}),
    ...(field === undefined ? {} : { field: expect.any(String) }),
    ...(errors === undefined ? {} : { errors: expect.any(Array) }),
  });
}

/** Asserts a 400 that lists exactly these failures. `field` is present when one field is the cause. */
export function expectInvalid(response: ApiResponse, ...failures: readonly Failure[]): void {
  const errors = failures.map(([field, message]) => ({
    ...(field === undefined ? {} : { field }),
    message: matching(message),
  }));
  const [first] = failures;
  const field = failures.length === 1 ? first?.[0] : undefined;
  expectError(response, 400, {
    message: expect.stringContaining(response.body?.errors?.[0]?.message ?? 'a message'),
    ...(field === undefined ? {} : { field }),
    errors,
  });
  if (failures.length === 1) expect(response.body.message).toBe(response.body.errors[0].message);
}

/** Asserts a 409 for a duplicate of these keys, the first of which is the `field`. */
export function expectDuplicate(response: ApiResponse, ...keys: readonly string[]): void {
  expectDuplicateOf(response, Object.fromEntries(keys.map((key) => [key, expect.stringMatching(UUID)])));
}

/** As `expectDuplicate`, with the id of the record that has each key. */
export function expectDuplicateOf(response: ApiResponse, ids: Readonly<Record<string, unknown>>): void {
  const entries = Object.entries(ids);
  expectError(response, 409, {
    message: expect.any(String),
    code: 'duplicate',
    field: entries[0]?.[0],
    existing_id: entries[0]?.[1],
    errors: entries.map(([field, existing_id]) => ({
      field,
      message: expect.stringContaining(field),
      existing_id,
    })),
  });
}

/** Expects a 400 that one field has caused. */
export function expectBadField({ status, body }: ApiResponse, field: string): void {
  expect([status, body.field]).toEqual([400, field]);
}

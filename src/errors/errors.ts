import { DomainError, type FieldError } from './domain-error.js';

/** Most failures that an error lists (contract section 1). */
export const MAX_ERRORS = 100;

/** What is known of the failures of a request beside those that are described. */
interface Beside {
  /** Number of failures that were counted and not collected. */
  readonly omitted?: number;
  /** `invalid_fields` where a value of a record is among them. */
  readonly code?: 'invalid_request' | 'invalid_fields';
}

/**
 * 400 for one or more failures. The message is that of the first one, with the number of the others. At most
 * `MAX_ERRORS` are listed.
 */
export function invalid(
  errors: readonly FieldError[],
  { omitted = 0, code = 'invalid_request' }: Beside = {},
): DomainError {
  const [first] = errors;
  const total = errors.length + omitted;
  const message = (first?.message ?? 'Invalid request') + (total > 1 ? ` (and ${total - 1} more)` : '');
  const field = total === 1 ? first?.field : undefined;
  const listed = errors.slice(0, MAX_ERRORS);
  return new DomainError(code, message, {
    ...(field === undefined ? {} : { field }),
    errors: listed,
    ...(total === listed.length ? {} : { omitted: total - listed.length }),
  });
}

/** Returns a 400 for one failing field. */
export function invalidField(field: string, message: string): DomainError {
  return invalid([{ field, message }]);
}

/** 404. Unknown ids, malformed ids and ids of other accounts have the same one. */
export function notFound(message: string): DomainError {
  return new DomainError('not_found', message);
}

/** 409. @param field the field to blame, if there is one */
export function conflict(message: string, field?: string): DomainError {
  return new DomainError(
    'conflict',
    message,
    field === undefined ? {} : { field, errors: [{ field, message }] },
  );
}

/** 409: the record is archived, and what was asked for needs an active one. */
export function archived(message: string): DomainError {
  return new DomainError('archived', message);
}

/** 409: the first request with an idempotency key is at work. The caller may try again after one second. */
export function idempotencyInProgress(): DomainError {
  return new DomainError(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running',
    { headers: { 'Retry-After': '1' } },
  );
}

/** 412: the record is not as the preconditions of the request say. */
export function preconditionFailed(message: string): DomainError {
  return new DomainError('precondition_failed', message);
}

/** 409: the record is active, and what was asked for needs an archived one. */
export function notArchived(message: string): DomainError {
  return new DomainError('not_archived', message);
}

/** 401. @param challenge value of `WWW-Authenticate` (RFC 6750) */
export function unauthorized(message: string, challenge = 'Bearer'): DomainError {
  return new DomainError('unauthorized', message, { headers: { 'WWW-Authenticate': challenge } });
}

/**
 * 503 without `Retry-After`: a write may or may not have happened, and sending it again may do it twice.
 */
export function outcomeUnknown(): DomainError {
  return new DomainError(
    'outcome_unknown',
    'The connection to the database was lost. The write may or may not have happened: look before you repeat it',
  );
}

/** 503: nothing has happened. Tells the caller to try again after one second. */
export function unavailable(message: string): DomainError {
  return new DomainError('unavailable', message, { headers: { 'Retry-After': '1' } });
}

/** 429. @param seconds after which the caller may try again */
export function rateLimited(message: string, seconds: number): DomainError {
  return new DomainError('rate_limited', message, { headers: { 'Retry-After': String(seconds) } });
}

/** 500. The caller sees only the id of the request, by which the log has the cause. */
export function internal(): DomainError {
  return new DomainError('internal', 'Internal server error');
}

import { DomainError, type FieldError } from './domain-error.js';

/** Most failures that an error lists (contract section 1). */
export const MAX_ERRORS = 100;

/**
 * 400 for one or more failures. The message is that of the first one, with the number of the others. At most
 * `MAX_ERRORS` are listed.
 * @param omitted number of failures beside `errors` that were counted and not collected
 */
export function invalid(errors: readonly FieldError[], omitted = 0): DomainError {
  const [first] = errors;
  const total = errors.length + omitted;
  const message = (first?.message ?? 'Invalid request') + (total > 1 ? ` (and ${total - 1} more)` : '');
  const field = total === 1 ? first?.field : undefined;
  const listed = errors.slice(0, MAX_ERRORS);
  return new DomainError(400, message, {
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
  return new DomainError(404, message);
}

/** 409. @param field the colliding key, if there is one */
export function conflict(message: string, field?: string): DomainError {
  return new DomainError(409, message, field === undefined ? {} : { field, errors: [{ field, message }] });
}

/** 401. @param challenge value of `WWW-Authenticate` (RFC 6750) */
export function unauthorized(message: string, challenge = 'Bearer'): DomainError {
  return new DomainError(401, message, { headers: { 'WWW-Authenticate': challenge } });
}

/**
 * 503 without `Retry-After`: a write may or may not have happened, and sending it again may do it twice.
 */
export function outcomeUnknown(): DomainError {
  return new DomainError(
    503,
    'The connection to the database was lost. The write may or may not have happened: look before you repeat it',
    { extra: { code: 'outcome_unknown' } },
  );
}

/** 503: nothing has happened. Tells the caller to try again after one second. */
export function unavailable(message: string): DomainError {
  return new DomainError(503, message, { headers: { 'Retry-After': '1' } });
}

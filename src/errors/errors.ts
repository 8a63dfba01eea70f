import { DomainError, type FieldError } from './domain-error.js';

/** Returns a 400 for one or more failing fields. The message names the first and the number of the others. */
export function invalid(errors: readonly FieldError[]): DomainError {
  const [first] = errors;
  const rest = errors.length - 1;
  const message = (first?.message ?? 'Invalid request') + (rest > 0 ? ` (and ${rest} more)` : '');
  const field = errors.length === 1 ? first?.field : undefined;
  return new DomainError(400, message, { ...(field === undefined ? {} : { field }), errors });
}

/** Returns a 400 for one failing field. */
export function invalidField(field: string, message: string): DomainError {
  return invalid([{ field, message }]);
}

/** Returns a 404, which is the same for an id that is unknown, malformed or of another account. */
export function notFound(message: string): DomainError {
  return new DomainError(404, message);
}

/** Returns a 409. `field` names the colliding key if there is one. */
export function conflict(message: string, field?: string): DomainError {
  return new DomainError(409, message, field === undefined ? {} : { field, errors: [{ field, message }] });
}

/** Returns a 401 with the challenge of RFC 6750. */
export function unauthorized(message: string, challenge = 'Bearer'): DomainError {
  return new DomainError(401, message, { headers: { 'WWW-Authenticate': challenge } });
}

/** Returns a 503: something that this service needs cannot be reached at the moment. */
export function unavailable(message: string): DomainError {
  return new DomainError(503, message, { headers: { 'Retry-After': '1' } });
}

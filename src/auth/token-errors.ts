import { DomainError, type FieldError } from '../errors/domain-error.js';
import { invalid, unauthorized } from '../errors/errors.js';

/** RFC 6749's word for what was wrong with a token request. */
export type TokenErrorCode =
  'invalid_client' | 'invalid_request' | 'unsupported_grant_type' | 'invalid_scope';

const NO_STORE = { 'Cache-Control': 'no-store' };

/** 400 of the token endpoint: the error object plus `error_code` and `error_description`. */
export function tokenError(code: TokenErrorCode, errors: readonly FieldError[]): DomainError {
  const { status, message, details } = invalid(errors);
  return new DomainError(status, message, {
    ...details,
    extra: { error_code: code, error_description: message },
    headers: NO_STORE,
  });
}

/** 401, the same whatever was wrong with the credentials; the challenge only where Basic was used. */
export function invalidClient(basic: boolean): DomainError {
  const message = 'Unknown client or wrong secret';
  return new DomainError(401, message, {
    extra: { error_code: 'invalid_client', error_description: message },
    headers: basic
      ? { ...NO_STORE, 'WWW-Authenticate': 'Basic realm="fairlead", charset="UTF-8"' }
      : NO_STORE,
  });
}

/**
 * Gives any error of the token endpoint the form of RFC 6749 (contract section 2). An error that has a word
 * of the RFC already, and an error of the server, are left as they are.
 */
export function describeTokenError(error: DomainError): DomainError {
  const { status, message, details } = error;
  if (status >= 500 || details.extra?.['error_code'] !== undefined) return error;
  return new DomainError(status, message, {
    ...details,
    extra: { ...details.extra, error_code: 'invalid_request', error_description: message },
    headers: { ...details.headers, ...NO_STORE },
  });
}

/** 401 for a bearer token that is not good, or good no longer. */
export function invalidToken(): DomainError {
  return unauthorized('Unauthorized: invalid or expired token', 'Bearer error="invalid_token"');
}

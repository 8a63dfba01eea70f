import { DomainError, type FieldError } from '../errors/domain-error.js';
import { invalid, unauthorized } from '../errors/errors.js';

/** The `error` codes of RFC 6749 section 5.2 that this service uses. */
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

/**
 * 401 for an unknown client and for a wrong secret alike.
 * @param basic whether the credentials came as HTTP Basic; only then the answer has a challenge
 */
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
 * Adds the fields of RFC 6749 to an error of the token endpoint (contract section 2): `error_code` is
 * `invalid_request`. Returns errors that have an `error_code`, and those of status 500 and above, unchanged.
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

/** 401 for a bearer token that is invalid, expired or revoked. */
export function invalidToken(): DomainError {
  return unauthorized('Unauthorized: invalid or expired token', 'Bearer error="invalid_token"');
}

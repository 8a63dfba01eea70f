import { DomainError, type TokenErrorCode } from '../errors/domain-error.js';
import { type Failures, invalid, rateLimited, unauthorized } from '../errors/errors.js';
import type { Scope } from './scope.js';

const NO_STORE = { 'Cache-Control': 'no-store' };

/** 400 of the token endpoint: the error object, with RFC 6749's word, and `error_description`. */
export function tokenError(code: TokenErrorCode, failures: Failures): DomainError {
  const { message, details } = failures.toError() ?? invalid([]);
  return new DomainError(code, message, {
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
  return new DomainError('invalid_client', message, {
    extra: { error_code: 'invalid_client', error_description: message },
    headers: basic
      ? { ...NO_STORE, 'WWW-Authenticate': 'Basic realm="fairlead", charset="UTF-8"' }
      : NO_STORE,
  });
}

/**
 * 429 in the place of `invalidClient`, for an unknown client and for a wrong secret alike. RFC 6749 has no
 * word for it, so `error_code` stays `invalid_client`.
 * @param seconds after which the client may try again
 */
export function tooManyFailures(seconds: number): DomainError {
  const { code, message, details } = rateLimited('Too many failed attempts from this address', seconds);
  return new DomainError(code, message, {
    extra: { error_code: 'invalid_client', error_description: message },
    headers: { ...details.headers, ...NO_STORE },
  });
}

/**
 * Adds the fields of RFC 6749 to an error of the token endpoint (contract section 2): `error_code` and
 * `code` are `invalid_request`. Returns errors that have an `error_code`, and those of status 500 and above,
 * unchanged.
 */
export function describeTokenError(error: DomainError): DomainError {
  const { status, message, details } = error;
  if (status >= 500 || details.extra?.['error_code'] !== undefined) return error;
  return new DomainError('invalid_request', message, {
    ...details,
    status,
    extra: { ...details.extra, error_code: 'invalid_request', error_description: message },
    headers: { ...details.headers, ...NO_STORE },
  });
}

/** 401 for a bearer token that is invalid, expired or revoked. */
export function invalidToken(): DomainError {
  return unauthorized('Unauthorized: invalid or expired token', 'Bearer error="invalid_token"');
}

/** 403 for a token without the scope that a request needs. */
export function insufficientScope(scope: Scope): DomainError {
  return new DomainError('insufficient_scope', `This token lacks the scope ${scope}`, {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}

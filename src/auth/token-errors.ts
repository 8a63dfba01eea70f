import { DomainError, statusOf, type ErrorCode, type TokenErrorCode } from '../errors/domain-error.js';
import { rateLimited, unauthorized } from '../errors/errors.js';
import type { Scope } from './scope.js';

/**
 * Gives an error of the token endpoint RFC 6749's word in `error_code`, and `error_description`.
 * @param code where it is not the same word
 */
export function tokenError(
  word: TokenErrorCode,
  { message, status, details }: DomainError,
  code: ErrorCode | TokenErrorCode = word,
): DomainError {
  return new DomainError(code, message, {
    ...details,
    ...(status === statusOf(code) ? {} : { status }),
    extra: { ...details.extra, error_code: word, error_description: message },
    headers: { ...details.headers, 'Cache-Control': 'no-store' },
  });
}

/** 401 for an unknown client and a wrong secret alike. @param basic whether the answer has a challenge */
export function invalidClient(basic: boolean): DomainError {
  const headers = { 'WWW-Authenticate': 'Basic realm="fairlead", charset="UTF-8"' };
  const details = basic ? { headers } : {};
  return tokenError(
    'invalid_client',
    new DomainError('invalid_client', 'Unknown client or wrong secret', details),
  );
}

/**
 * 429 in the place of `invalidClient`, for an unknown client and for a wrong secret alike. RFC 6749 has no
 * word for it, so `error_code` stays `invalid_client`.
 * @param seconds after which the client may try again
 */
export function tooManyFailures(seconds: number): DomainError {
  const error = rateLimited('Too many failed attempts from this address', seconds);
  return tokenError('invalid_client', error, 'rate_limited');
}

/**
 * Adds the fields of RFC 6749 to an error of the token endpoint (contract section 2): `error_code` and
 * `code` are `invalid_request`. Returns errors that have an `error_code`, and those of status 500 and above,
 * unchanged.
 */
export function describeTokenError(error: DomainError): DomainError {
  const isDescribed = error.status >= 500 || error.details.extra?.['error_code'] !== undefined;
  return isDescribed ? error : tokenError('invalid_request', error);
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

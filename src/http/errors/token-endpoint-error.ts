import { DomainError } from '../../errors/domain-error.js';

/** Path of the token endpoint, whose requests and errors are those of RFC 6749. */
export const TOKEN_PATH = '/oauth2/token';

/**
 * A token request that failed before the endpoint saw it, on its media type or its body say, as the endpoint itself
 * would have answered it (contract section 2). Other errors are left as they are.
 */
export function tokenEndpointError(error: DomainError, path: string): DomainError {
  const { status, message, details } = error;
  if (path !== TOKEN_PATH || status >= 500 || details.extra?.['error_code'] !== undefined) return error;
  return new DomainError(status, message, {
    ...details,
    extra: { ...details.extra, error_code: 'invalid_request', error_description: message },
    headers: { ...details.headers, 'Cache-Control': 'no-store' },
  });
}

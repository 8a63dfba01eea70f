import { DomainError } from '../../errors/domain-error.js';

/** Path of the token endpoint, whose requests and errors are those of RFC 6749. */
const TOKEN_PATH = '/oauth2/token';

/** Whether a path is that of the token endpoint, as loosely as Express matches it. */
export function isTokenPath(path: string): boolean {
  return path.replace(/\/$/, '').toLowerCase() === TOKEN_PATH;
}

/**
 * A token request that failed before the endpoint saw it, on its media type or its body say, as the endpoint itself
 * would have answered it (contract section 2). Other errors are left as they are.
 */
export function tokenEndpointError(error: DomainError, path: string): DomainError {
  const { status, message, details } = error;
  if (!isTokenPath(path) || status >= 500 || details.extra?.['error_code'] !== undefined) return error;
  return new DomainError(status, message, {
    ...details,
    extra: { ...details.extra, error_code: 'invalid_request', error_description: message },
    headers: { ...details.headers, 'Cache-Control': 'no-store' },
  });
}

import type { AuthOptions } from '../auth.options.js';
import { SCOPES } from '../scope.js';
import { TOKEN_ENDPOINT } from '../token-endpoint.js';

/** What clients and resource servers need to know of this authorization server (RFC 8414 section 2). */
export interface AuthorizationServer {
  readonly issuer: string;
  readonly token_endpoint: string;
  readonly jwks_uri: string;
  readonly scopes_supported: readonly string[];
  /** None: there is no authorization endpoint. */
  readonly response_types_supported: readonly string[];
  readonly grant_types_supported: readonly string[];
  readonly token_endpoint_auth_methods_supported: readonly string[];
}

/** The path of the public keys (RFC 8615). */
export const JWKS_PATH = '/.well-known/jwks.json';

/** Returns the metadata of a service whose issuer is its address. */
export function authorizationServer({ issuer }: Pick<AuthOptions, 'issuer'>): AuthorizationServer {
  return {
    issuer,
    token_endpoint: `${issuer}${TOKEN_ENDPOINT.path}`,
    jwks_uri: `${issuer}${JWKS_PATH}`,
    scopes_supported: SCOPES,
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  };
}

/** The claims of an access token (RFC 9068). Times are seconds since the epoch. */
export interface TokenClaims {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly client_id: string;
  readonly account_id: string;
  /** Space-separated. */
  readonly scope: string;
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
}

/** The `typ` header of an access token (RFC 9068 section 2.1). */
export const TOKEN_TYPE = 'at+jwt';

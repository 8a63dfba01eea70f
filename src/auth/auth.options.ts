import type { Settings } from '../settings/settings.js';
import { tokenKeys, type TokenKeys } from './keys/token-keys.js';

/** Configuration of token issuance and verification. */
export interface AuthOptions {
  readonly keys: TokenKeys;
  readonly issuer: string;
  /** An issuer whose tokens are accepted beside. */
  readonly previousIssuer: string | undefined;
  readonly audience: string;
  readonly ttlSeconds: number;
}

/** Injection token of AuthOptions. */
export const AUTH_OPTIONS = Symbol('AuthOptions');

/** @throws Error naming the setting of the keys, or DATA_DIR where the generated secret cannot be kept */
export function authOptions(settings: Settings): AuthOptions {
  return {
    keys: tokenKeys(settings),
    issuer: settings.JWT_ISSUER,
    previousIssuer: settings.JWT_ISSUER_PREVIOUS,
    audience: settings.JWT_AUDIENCE,
    ttlSeconds: settings.ACCESS_TOKEN_TTL_SECONDS,
  };
}

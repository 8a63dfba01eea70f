import type { KeyObject } from 'node:crypto';
import { jwtSecret } from '../settings/jwt-secret.js';
import type { Settings } from '../settings/settings.js';

/** Configuration of token issuance and verification. */
export interface AuthOptions {
  readonly secret: KeyObject;
  readonly issuer: string;
  readonly audience: string;
  readonly ttlSeconds: number;
}

/** Injection token of AuthOptions. */
export const AUTH_OPTIONS = Symbol('AuthOptions');

/** @throws Error naming JWT_SECRET, or DATA_DIR where the generated secret cannot be kept */
export function authOptions(settings: Settings): AuthOptions {
  return {
    secret: jwtSecret(settings),
    issuer: settings.JWT_ISSUER,
    audience: settings.JWT_AUDIENCE,
    ttlSeconds: settings.ACCESS_TOKEN_TTL_SECONDS,
  };
}

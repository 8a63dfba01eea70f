import type { KeyObject } from 'node:crypto';

/** Configuration of token issuance and verification. */
export interface AuthOptions {
  readonly secret: KeyObject;
  readonly issuer: string;
  readonly audience: string;
  readonly ttlSeconds: number;
}

/** Injection token of AuthOptions. */
export const AUTH_OPTIONS = Symbol('AuthOptions');

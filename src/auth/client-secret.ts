import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new secret: 256 random bits as 43 characters of base64url. */
export function newClientSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a secret. */
export function hashClientSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

const NO_CLIENT = Buffer.alloc(32);

/**
 * Compares in constant time; an unknown client (undefined) takes as long as a wrong secret and never matches.
 */
export function secretMatches(secret: string, stored: Buffer | undefined): boolean {
  const equal = timingSafeEqual(hashClientSecret(secret), stored ?? NO_CLIENT);
  return equal && stored !== undefined;
}

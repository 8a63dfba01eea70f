import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new secret: 256 random bits as 43 characters of base64url. */
export function newClientSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The SHA-256 hash of a secret: 32 bytes, as they are stored. */
export function hashClientSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

const NO_CLIENT = Buffer.alloc(32);

/**
 * Compares a secret with a stored hash in constant time.
 * @param stored undefined for an unknown client, which never matches and takes as long as a wrong secret
 */
export function secretMatches(secret: string, stored: Buffer | undefined): boolean {
  const equal = timingSafeEqual(hashClientSecret(secret), stored ?? NO_CLIENT);
  return equal && stored !== undefined;
}

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Most seconds for which a secret works after it was replaced (contract, section 6). */
export const MOST_OVERLAP = 86_400;

/** A new secret of a client: 256 random bits as 43 characters of base64url. */
export function newClientSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The SHA-256 hash of a secret: 32 bytes, as they are stored. */
export function hashClientSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

const NO_CLIENT = Buffer.alloc(32);

/**
 * Compares a secret with the stored hashes in constant time.
 * @param stored without a value for an unknown client, or a secret that does not work, which never match and
 *   take as long as a wrong secret
 */
export function secretMatches(secret: string, stored: readonly (Buffer | null | undefined)[]): boolean {
  const given = hashClientSecret(secret);
  const matches = stored.map((hash) => {
    const isEqual = timingSafeEqual(given, hash ?? NO_CLIENT);
    return isEqual && hash !== undefined && hash !== null;
  });
  return matches.includes(true);
}

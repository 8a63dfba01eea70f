import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AccountContext } from '../accounts/index.js';

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
 * Compares a secret with the stored hashes in constant time. What is stored without a value never matches,
 * and takes as long as a wrong secret.
 */
export function secretMatches(secret: string, stored: readonly (Buffer | null | undefined)[]): boolean {
  const given = hashClientSecret(secret);
  const matches = stored.map((hash) => {
    const isEqual = timingSafeEqual(given, hash ?? NO_CLIENT);
    return isEqual && hash !== undefined && hash !== null;
  });
  return matches.includes(true);
}

/** 16 bytes of an account's id, and 32 random ones, in base64url. */
export const ACCOUNT_TOKEN = /^[A-Za-z0-9_-]{64}$/;

/** What a link or a session is found by. The token names the account, so that a cluster asks one node. */
export interface TokenKey extends AccountContext {
  /** The SHA-256 hash of the token, in hex. */
  readonly hash: string;
}

/** A new token of a link or a session: 64 characters of base64url, 256 bits of them random. */
export function newAccountToken({ accountId }: AccountContext): string {
  const id = Buffer.from(accountId.replaceAll('-', ''), 'hex');
  return Buffer.concat([id, randomBytes(32)]).toString('base64url');
}

/** Whether a text may be the token of a link or a session. */
export const isAccountToken = (text: string): boolean => ACCOUNT_TOKEN.test(text);

/** Returns what a token is found by, if it is one of ours. */
export function tokenKey(token: string): TokenKey {
  const id = Buffer.from(token, 'base64url').toString('hex', 0, 16);
  const accountId = id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return { accountId, hash: hashClientSecret(token).toString('hex') };
}

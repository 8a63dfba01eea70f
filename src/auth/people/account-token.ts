import { randomBytes } from 'node:crypto';
import type { AccountContext } from '../../accounts/index.js';
import { hashClientSecret } from '../client-secret.js';

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

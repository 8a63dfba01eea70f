import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Scope } from './scope.js';

/** The content of a token whose signature and claims are verified. */
export interface VerifiedToken {
  readonly accountId: string;
  readonly clientId: string;
  /** The scopes of the token. Its client may have fewer by now. */
  readonly scopes: readonly Scope[];
  /** Expiry, in seconds since the epoch. */
  readonly exp: number;
}

/**
 * Caches verified tokens. A client sends the same token until it expires, and verifying it costs more than
 * the rest of the way to the controller. ClientStatusCache says for each request whether client and account
 * may still act.
 */
@Injectable()
export class VerifiedTokensCache {
  private readonly tokens = new LRUCache<string, VerifiedToken>({ max: 10_000 });

  /** @returns undefined for a token that is not in the cache, or has expired */
  get(text: string): VerifiedToken | undefined {
    const token = this.tokens.get(text);
    if (token === undefined || Date.now() < token.exp * 1000) return token;
    this.tokens.delete(text);
    return undefined;
  }

  set(text: string, token: VerifiedToken): void {
    this.tokens.set(text, token);
  }
}

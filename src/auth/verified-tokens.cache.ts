import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Scope } from './scope.js';

/** What a token says, once its signature and claims have been found good. */
export interface VerifiedToken {
  readonly accountId: string;
  readonly clientId: string;
  /** What it asks for; its client may be allowed less by now. */
  readonly scopes: readonly Scope[];
  /** Seconds since the epoch. */
  readonly exp: number;
}

/**
 * Tokens that were verified before: clients send the same one for an hour, and verifying it costs more than
 * the rest of the way to the controller. Whether client and account may still act is asked elsewhere, each
 * time.
 */
@Injectable()
export class VerifiedTokensCache {
  private readonly tokens = new LRUCache<string, VerifiedToken>({ max: 10_000 });

  /** @returns undefined for one that was never verified, or has expired since. */
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

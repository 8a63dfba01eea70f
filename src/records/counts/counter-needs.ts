import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { NeededCounters } from './counted-records.js';

/** Accounts of which a process remembers what it was asked for. */
const MAX_ACCOUNTS = 2_000;

/** What configurations let count, until the job of the process has seen to it. */
@Injectable()
export class CounterNeeds {
  /** The last version of each account's configuration that was asked for. */
  private readonly versions = new LRUCache<string, bigint>({ max: MAX_ACCOUNTS });
  private readonly waiting = new Map<string, NeededCounters>();

  /** Asks for the counters of a configuration. Costs nothing where it is not newer than the last one. */
  add(needed: NeededCounters): void {
    const { accountId } = needed;
    const version = BigInt(needed.version);
    if (version <= (this.versions.get(accountId) ?? -1n)) return;
    this.versions.set(accountId, version);
    this.waiting.set(accountId, needed);
  }

  /** Returns what was asked for and is not done. */
  open(): readonly NeededCounters[] {
    return [...this.waiting.values()];
  }

  /** Forgets what is done, unless a newer configuration has come. */
  done(needed: NeededCounters): void {
    if (this.waiting.get(needed.accountId) === needed) this.waiting.delete(needed.accountId);
  }
}

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { TypeCounters } from './count-truth.js';
import { CountersRepository, type NeededCounters } from './counters.repository.js';

/** Accounts of which a process remembers what it was asked for. */
const MAX_ACCOUNTS = 2_000;

/**
 * Gives each account the counters that its configuration needs, in the background, and makes them ready.
 * Until then requests count the records themselves. Several processes may do this.
 */
@Injectable()
export class CounterKeeper {
  /** The last version of each account's configuration that was asked for. */
  private readonly versions = new LRUCache<string, bigint>({ max: MAX_ACCOUNTS });
  private readonly needed = new Map<string, NeededCounters>();
  /** For each counter that is new, a transaction id that was given when all could see the counter. */
  private visibleAt = new Map<string, bigint>();
  private readonly stopping = new AbortController();

  constructor(private readonly counters: CountersRepository) {}

  /** Asks for the counters of a configuration. Costs nothing where it is not newer than the last one. */
  need(needed: NeededCounters): void {
    const { accountId } = needed;
    const version = BigInt(needed.version);
    if (version <= (this.versions.get(accountId) ?? -1n)) return;
    this.versions.set(accountId, version);
    this.needed.set(accountId, needed);
  }

  /** Ends what runs, without a trace in the database. */
  stop(): void {
    this.stopping.abort(new Error('The process stops'));
  }

  /** Keeps what was asked for, and makes new counters ready. @throws what the database throws */
  async run(): Promise<void> {
    for (const [accountId, needed] of this.needed) {
      const isKept = await this.counters.keep(needed);
      if (isKept && this.needed.get(accountId) === needed) this.needed.delete(accountId);
    }
    const failures: unknown[] = [];
    for (const type of await this.findSettled()) {
      // The failure of one type does not keep others from being counted.
      await this.counters.seed(type, this.stopping.signal).catch((error: unknown) => failures.push(error));
      if (this.stopping.signal.aborted) return;
    }
    const [failure] = failures;
    if (failure !== undefined) throw failure as Error;
  }

  /** Returns the new counters that all transactions know, since those have ended that may not. */
  private async findSettled(): Promise<TypeCounters[]> {
    const found = await this.counters.findNew();
    const before = this.visibleAt;
    this.visibleAt = new Map();
    if (found.length === 0) return [];
    const { id, running } = await this.counters.observe();
    return found.flatMap((type) => {
      const counters = type.counters.filter((counter) => {
        const key = `${type.accountId} ${type.objectType} ${counter}`;
        const seen = before.get(key);
        // A lower id is that of another server, which has taken the place of the first.
        const since = seen === undefined || id < seen ? id : seen;
        this.visibleAt.set(key, since);
        return since < running;
      });
      return counters.length === 0 ? [] : [{ ...type, counters }];
    });
  }
}

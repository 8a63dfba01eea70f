import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { KnownToAll } from '../../database/index.js';
import type { TypeCounters } from './count-truth.js';
import { CountersRepository, type NeededCounters } from './counters.repository.js';

/** Accounts of which a process remembers what it was asked for. */
const MAX_ACCOUNTS = 2_000;

const NOTHING = { id: 0n, running: 0n };

/**
 * Gives each account the counters that its configuration needs, in the background, and makes them ready.
 * Until then requests count the records themselves. Several processes may do this.
 */
@Injectable()
export class CounterKeeper {
  /** The last version of each account's configuration that was asked for. */
  private readonly versions = new LRUCache<string, bigint>({ max: MAX_ACCOUNTS });
  private readonly needed = new Map<string, NeededCounters>();
  private readonly known = new KnownToAll();
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
    const keyOf = (type: TypeCounters, counter: string): string =>
      `${type.accountId} ${type.objectType} ${counter}`;
    const keys = found.flatMap((type) => type.counters.map((counter) => keyOf(type, counter)));
    const known = this.known.add(keys, keys.length === 0 ? NOTHING : await this.counters.observe());
    return found.flatMap((type) => {
      const counters = type.counters.filter((counter) => known.has(keyOf(type, counter)));
      return counters.length === 0 ? [] : [{ ...type, counters }];
    });
  }
}

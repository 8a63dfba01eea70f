import { LRUCache } from 'lru-cache';

/** Most addresses that are counted. The one whose last attempt is longest ago is forgotten first. */
const MOST_ADDRESSES = 10_000;

const MINUTE_MS = 60_000;

/** Counts failed attempts by address, for a minute from the first one, in this process. */
export class FailedAttempts {
  private readonly counts: LRUCache<string, number>;

  /**
   * @param limit attempts a minute; 0 for no limit
   * @param clock milliseconds of a clock that never runs backwards
   */
  constructor(
    private readonly limit: number,
    clock: { now(): number } = performance,
  ) {
    this.counts = new LRUCache({ max: MOST_ADDRESSES, ttl: MINUTE_MS, ttlResolution: 0, perf: clock });
  }

  /** Whether another failed attempt from the address is beyond the limit. */
  isSpent(address: string): boolean {
    return this.limit > 0 && (this.counts.get(address) ?? 0) >= this.limit;
  }

  /** Counts a failed attempt. @returns the whole seconds to wait where it is beyond the limit */
  add(address: string): number | undefined {
    if (this.limit === 0) return undefined;
    const count = this.counts.get(address) ?? 0;
    if (count >= this.limit) return Math.max(1, Math.ceil(this.counts.getRemainingTTL(address) / 1_000));
    this.counts.set(address, count + 1, { noUpdateTTL: true });
    return undefined;
  }
}

import type { Observation } from './settled-ids.js';

/**
 * Tells of what is new in the database when every transaction knows it: those have ended that began to write
 * before it could be seen.
 */
export class KnownToAll {
  /** For each key that is not known to all, a transaction id that was given when it could be seen. */
  private visibleAt = new Map<string, bigint>();

  /** Returns those of the keys that all transactions know. Keys that are left out are forgotten. */
  add(keys: readonly string[], { id, running }: Pick<Observation, 'id' | 'running'>): ReadonlySet<string> {
    const before = this.visibleAt;
    this.visibleAt = new Map();
    return new Set(
      keys.filter((key) => {
        const seen = before.get(key);
        // A lower id is that of another server, which has taken the place of the first.
        const since = seen === undefined || id < seen ? id : seen;
        this.visibleAt.set(key, since);
        return since < running;
      }),
    );
  }
}

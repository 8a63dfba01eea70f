/** Most keys of one statement. */
const MOST_AT_ONCE = 1_000;

/** A statement that is to come, and its answer. */
interface Lookup<T> {
  readonly keys: Set<string>;
  readonly found: Promise<ReadonlyMap<string, T>>;
}

/**
 * Finds rows by what anybody may send, with one statement at a time for everybody who waits, so that many
 * lookups take one connection at most. A lookup never gets the answer to a statement that began before it.
 */
export class SharedLookups<T> {
  private next: Lookup<T> | undefined;
  private last: Promise<unknown> = Promise.resolve();

  /** @param findSeveral returns what was found, by the keys */
  constructor(private readonly findSeveral: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>) {}

  /** Finds the row with a key. */
  async find(key: string): Promise<T | undefined> {
    if (this.next === undefined || this.next.keys.size === MOST_AT_ONCE) this.next = this.behind(this.last);
    const { keys, found } = this.next;
    keys.add(key);
    return (await found).get(key);
  }

  private behind(last: Promise<unknown>): Lookup<T> {
    const keys = new Set<string>();
    const found = last.then(() => {
      if (this.next?.keys === keys) this.next = undefined;
      return this.findSeveral([...keys]);
    });
    this.last = found.catch(() => undefined);
    return { keys, found };
  }
}

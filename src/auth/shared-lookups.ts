/** Most keys of one statement. */
const MOST_AT_ONCE = 1_000;

/** A statement that is to come, and its answer. */
interface Lookup<T> {
  readonly keys: Set<string>;
  readonly found: Promise<ReadonlyMap<string, T>>;
}

/**
 * Finds rows by what anybody may send, with one statement at a time for everybody who waits, so that many
 * lookups take one connection at most. Keys of one account are looked up together. A lookup never gets the
 * answer to a statement that began before it.
 */
export class SharedLookups<T> {
  /** By the account. */
  private readonly next = new Map<string, Lookup<T>>();
  private last: Promise<unknown> = Promise.resolve();

  /** @param findSeveral returns what was found, by the keys */
  constructor(
    private readonly findSeveral: (
      keys: readonly string[],
      accountId: string,
    ) => Promise<ReadonlyMap<string, T>>,
  ) {}

  /** Finds the row with a key. @param accountId that of the key, where it names one */
  async find(key: string, accountId = ''): Promise<T | undefined> {
    const next = this.next.get(accountId);
    const { keys, found } =
      next === undefined || next.keys.size === MOST_AT_ONCE ? this.add(accountId) : next;
    keys.add(key);
    return (await found).get(key);
  }

  /** Adds a statement behind the last one. */
  private add(accountId: string): Lookup<T> {
    const keys = new Set<string>();
    const found = this.last.then(() => {
      if (this.next.get(accountId)?.keys === keys) this.next.delete(accountId);
      return this.findSeveral([...keys], accountId);
    });
    this.last = found.catch(() => undefined);
    const added = { keys, found };
    this.next.set(accountId, added);
    return added;
  }
}

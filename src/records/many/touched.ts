/** A record and the keys that a write is named by, takes, or gives back. */
export interface Touches {
  /** Of the record that is written; undefined for a new one, and for none. */
  readonly id?: string;
  readonly keys: readonly string[];
}

/** What writes touch that are done together: none of them depends on another. */
export class Touched {
  private readonly ids = new Set<string>();
  private readonly keys = new Set<string>();

  /** Adds a write. @returns false where one before touches the same; it is not added then */
  add({ id, keys }: Touches): boolean {
    if (id !== undefined && this.ids.has(id)) return false;
    if (keys.some((key) => this.keys.has(key))) return false;
    if (id !== undefined) this.ids.add(id);
    for (const key of keys) this.keys.add(key);
    return true;
  }
}

import { hash } from 'node:crypto';

/** The most keys that are remembered: in 200 MB. */
const MOST_KEYS = 12_500_000;
const FIRST_SLOTS = 1024;
/** Of the slots, at most so many are taken. */
const MOST_FULL = 0.75;
/** Numbers of a slot: two of the hash, and the line, which is zero where the slot is free. */
const WIDTH = 3;

/**
 * The keys that rows of a file have, and the lines of the first rows that have them. Keeps 64 bits of a hash
 * of each key, in 16 to 32 bytes. Of more than 12,500,000 keys, later ones are not remembered.
 */
export class SeenKeys {
  private slots = new Uint32Array(FIRST_SLOTS * WIDTH);
  private count = 0;

  /** @param most the most keys that are remembered */
  constructor(private readonly most = MOST_KEYS) {}

  /** Remembers a key. @returns the line of the row that has had it; undefined where it is new */
  add(key: string, line: number): number | undefined {
    // Not a buffer: millions of them keep memory until it is collected.
    const digest = hash('sha1', key, 'hex');
    const [high, low] = [parseInt(digest.slice(0, 8), 16), parseInt(digest.slice(8, 16), 16)];
    const at = this.find(high, low);
    const known = this.slots[at + 2];
    if (known !== 0) return known;
    if (this.count >= this.most) return undefined;
    this.slots.set([high, low, line], at);
    this.count += 1;
    if (this.count > (this.slots.length / WIDTH) * MOST_FULL) this.grow();
    return undefined;
  }

  /** Returns where a hash stands, or is to stand. The number of slots is a power of two. */
  private find(high: number, low: number): number {
    const { slots } = this;
    const mask = slots.length / WIDTH - 1;
    let slot = low & mask;
    for (;;) {
      const at = slot * WIDTH;
      if (slots[at + 2] === 0 || (slots[at] === high && slots[at + 1] === low)) return at;
      slot = (slot + 1) & mask;
    }
  }

  private grow(): void {
    const old = this.slots;
    this.slots = new Uint32Array(old.length * 2);
    for (let at = 0; at < old.length; at += WIDTH) {
      if (old[at + 2] === 0) continue;
      this.slots.set(old.subarray(at, at + WIDTH), this.find(old[at] ?? 0, old[at + 1] ?? 0));
    }
  }
}

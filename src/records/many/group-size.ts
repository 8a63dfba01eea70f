/**
 * How many writes are looked at to find a group that is done together. Where the group is smaller than that,
 * the rest is looked at again: then it is only twice the group the next time, so that all writes together are
 * looked at a few times each.
 */
export class GroupSize {
  private next: number;

  /** @param most of which a group may consist */
  constructor(private readonly most: number) {
    this.next = most;
  }

  /** How many writes are looked at next. */
  get now(): number {
    return this.next;
  }

  /** Notes how many were looked at, and how many of them need not be looked at again. */
  note(looked: number, done: number): void {
    const twice = Math.max(1, 2 * done);
    this.next = Math.min(this.most, done < looked ? twice : Math.max(this.next, twice));
  }
}

/** The most records of one transaction, which takes some tens of milliseconds with most values. */
const MOST = 2_000;

/** Milliseconds that a part should take: one that takes more is followed by a smaller one. */
const ENOUGH = 1_000;

/** Milliseconds until an index that could not be built is tried again: at first, and at most. */
const FIRST_REST = 15_000;
const LONGEST_REST = 3_600_000;

/** How many records of an index are built at once, and when: values can be so large that fewer must do. */
export class BuildPace {
  private records = MOST;
  private rest = FIRST_REST;
  private restsUntil = -Infinity;

  /** Records of the next part. */
  get most(): number {
    return this.records;
  }

  isResting(now: number): boolean {
    return now < this.restsUntil;
  }

  /** A part is built. @param ms how long it took */
  done(ms: number): void {
    this.rest = FIRST_REST;
    if (ms > ENOUGH) this.records = Math.max(1, Math.floor(this.records / 2));
    else if (ms < ENOUGH / 4) this.records = Math.min(MOST, this.records * 2);
  }

  /** A part was not built in time. @returns whether a smaller one is left to be tried */
  tooLong(): boolean {
    if (this.records === 1) return false;
    this.records = Math.floor(this.records / 2);
    return true;
  }

  /** The index cannot be built now. Each time that it fails again it rests for longer. */
  failed(now: number): void {
    this.restsUntil = now + this.rest;
    this.rest = Math.min(LONGEST_REST, this.rest * 2);
  }
}

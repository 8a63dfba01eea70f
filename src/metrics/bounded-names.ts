/** The value of a label that stands for all names without a series of their own. */
export const OTHER = 'other';

/**
 * The names that have series of their own: the first ones that come, up to a number. A name keeps its series,
 * because a counter that goes away and comes back looks like one that has started again.
 */
export class BoundedNames {
  private readonly names = new Set<string>();

  /** @param most number of names */
  constructor(private readonly most: number) {}

  /** Whether the name has a series of its own. It gets one where there is room. */
  has(name: string): boolean {
    if (this.names.has(name)) return true;
    if (this.names.size >= this.most) return false;
    this.names.add(name);
    return true;
  }
}

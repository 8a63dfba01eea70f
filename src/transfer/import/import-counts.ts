/** What an import has done so far. In a dry run: what it would do. */
export interface ImportCounts {
  /** Rows that were read. */
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
  /** Records on which the router has run. */
  dispatched: number;
  /** Those of them that it has given to somebody. */
  assigned: number;
}

/** Returns the counts of an import that begins. */
export function noCounts(): ImportCounts {
  return { rows: 0, created: 0, updated: 0, unchanged: 0, rejected: 0, dispatched: 0, assigned: 0 };
}

import type { Outcome } from './outcome.js';

/** Records that one router is to run on, in this order. */
export interface RouterRuns {
  readonly routerId: string;
  readonly objectIds: readonly string[];
}

/** What became of the runs of one router in a transaction. */
export interface RunsResult {
  /** Of the first records, in their order. The others are left for another transaction. */
  readonly outcomes: readonly Outcome[];
  /**
   * The others must run in a transaction without other routers: it waits for the locks that somebody else
   * holds, and its errors are those of this router alone.
   */
  readonly alone: boolean;
}

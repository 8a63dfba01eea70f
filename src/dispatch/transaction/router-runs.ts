import type { Outcome } from './outcome.js';

/** Records that one router is to run on, in this order. */
export interface RouterRuns {
  readonly routerId: string;
  readonly objectIds: readonly string[];
  /** The id of the request of each, in the same order; undefined for a command. */
  readonly requestIds?: readonly (string | undefined)[];
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

/** Returns the ids of the requests for which routers run, by record. */
export function requestIdsOf(runs: readonly RouterRuns[]): ReadonlyMap<string, string | undefined> {
  return new Map(
    runs.flatMap(({ objectIds, requestIds = [] }) => objectIds.map((id, index) => [id, requestIds[index]])),
  );
}

import type { Settings } from '../settings/settings.js';

/** Milliseconds of the parts of a stop, one after the other. */
export interface StopTimes {
  /** Requests are served, so that load balancers learn that the process ends. */
  readonly drain: number;
  /** No connection is accepted, and requests under way are finished. */
  readonly grace: number;
  /** The rest, such as disconnecting from the database. The process ends behind it in any case. */
  readonly rest: number;
}

/** What the process may need beside the clock of a request (promise P5). */
const BESIDE_MS = 1_000;

const REST_MS = 10_000;

/** Returns the times of a stop. A request that came last may take as long as any other. */
export function stopTimes({
  DRAIN_SECONDS,
  REQUEST_TIMEOUT_MS,
}: Pick<Settings, 'DRAIN_SECONDS' | 'REQUEST_TIMEOUT_MS'>): StopTimes {
  return { drain: DRAIN_SECONDS * 1_000, grace: REQUEST_TIMEOUT_MS + BESIDE_MS, rest: REST_MS };
}

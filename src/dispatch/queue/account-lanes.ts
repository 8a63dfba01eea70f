import type { AccountContext } from '../../accounts/index.js';
import { Lane } from './lane.js';
import type { WaitingRequest } from './waiting-request.js';

/**
 * Most records in one transaction. Large enough to share a commit, small enough to keep the transaction
 * short.
 */
const MOST_AT_ONCE = 64;

/** The requests of one lane in a transaction. */
export interface Taken {
  readonly lane: Lane;
  readonly requests: readonly WaitingRequest[];
}

/** The lanes of one account in this process. */
export class AccountLanes {
  /** Whether a transaction is in progress that lanes share, or waits for its part of the share. */
  isSharing = false;
  /** Number of transactions that serve one lane alone, or wait for their part of the share. */
  alone = 0;
  /** In the order in which they get their turn. */
  private readonly lanes = new Map<string, Lane>();
  /** The lanes whose transactions have a record, by record. */
  private readonly holders = new Map<string, Lane>();

  constructor(readonly account: AccountContext) {}

  /** Whether nothing waits and nothing is in progress. */
  get isEmpty(): boolean {
    return this.lanes.size === 0 && !this.isSharing && this.alone === 0;
  }

  /** Number of requests that wait. */
  get waiting(): number {
    return [...this.lanes.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  /** Number of transactions that are in progress, or wait for their part of the share. */
  get transactions(): number {
    return this.alone + (this.isSharing ? 1 : 0);
  }

  /** Returns the lane of a router, which is created when there is none. */
  of(routerId: string): Lane {
    const present = this.lanes.get(routerId);
    if (present !== undefined) return present;
    const lane = new Lane(routerId);
    this.lanes.set(routerId, lane);
    return lane;
  }

  /**
   * Returns the lanes that can be served now. Forgets those without requests.
   * @param alone those that must be served alone, or the others
   */
  ready(alone: boolean): Lane[] {
    const ready: Lane[] = [];
    for (const [routerId, lane] of this.lanes) {
      if (lane.isServed) continue;
      const [first] = lane.waiting;
      if (first === undefined) this.lanes.delete(routerId);
      else if (lane.isAlone === alone && !this.holders.has(first.objectId)) ready.push(lane);
    }
    return ready;
  }

  /**
   * Takes requests of lanes for a transaction, a fair part of each, and more where others have less. Lanes
   * that get no place are the first the next time.
   */
  take(lanes: readonly Lane[]): Taken[] {
    const served = lanes.slice(0, MOST_AT_ONCE);
    const part = Math.floor(MOST_AT_ONCE / Math.max(1, served.length));
    const fair = served.map((lane) => lane.take(part, this.holders));
    let left = MOST_AT_ONCE - fair.reduce((sum, { length }) => sum + length, 0);
    const taken = served.map((lane, index) => {
      const more = lane.take(left, this.holders);
      left -= more.length;
      return { lane, requests: [...(fair[index] ?? []), ...more] };
    });
    const some = taken.filter(({ requests }) => requests.length > 0);
    for (const { lane } of some) lane.isServed = true;
    return some;
  }

  /** Ends a transaction. The lanes that were served in it are the last to get their turn again. */
  release(taken: readonly Taken[]): void {
    for (const { lane, requests } of taken) {
      for (const { objectId } of requests) this.holders.delete(objectId);
      lane.isServed = false;
      const isLeft = lane.waiting.length > 0 && lane.waiting[0] === requests[0];
      if (isLeft) continue;
      this.lanes.delete(lane.routerId);
      if (lane.waiting.length > 0) this.lanes.set(lane.routerId, lane);
    }
  }
}

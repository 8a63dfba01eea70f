import { tooMany, type WaitingRequest } from './waiting-request.js';

/** Most requests that wait for one router in one process. Further requests get 503. */
const MOST_WAITING = 5_000;

/** The requests of this process that wait for one router, in the order in which they came. */
export class Lane {
  /** Whether a transaction serves the lane, or is about to. */
  isServed = false;
  /** Whether the next transaction must serve no other lane. */
  isAlone = false;
  private requests: WaitingRequest[] = [];

  constructor(readonly routerId: string) {}

  /** The requests that wait. */
  get waiting(): readonly WaitingRequest[] {
    return this.requests;
  }

  /** Adds a request. Refuses it where too many wait, and later where it has waited too long. */
  add(request: WaitingRequest): void {
    if (this.requests.length >= MOST_WAITING) {
      request.reject(tooMany());
      return;
    }
    this.requests.push(request);
    this.limitWait(request);
  }

  /** Returns requests that were taken and are left. They are first again. */
  putBack(requests: readonly WaitingRequest[]): void {
    this.requests.unshift(...requests);
    for (const request of requests) this.limitWait(request);
  }

  /**
   * Takes the first requests for a transaction. A second request for a record stays, because it must see the
   * result of the first. So do all behind a request for a record that another lane has in a transaction.
   * @param most number of requests
   * @param holders the lanes that have records in transactions, by record; it gets those of the requests
   */
  take(most: number, holders: Map<string, Lane>): WaitingRequest[] {
    const taken: WaitingRequest[] = [];
    const left: WaitingRequest[] = [];
    for (const [index, request] of this.requests.entries()) {
      const holder = holders.get(request.objectId);
      if (taken.length >= most || (holder !== undefined && holder !== this)) {
        left.push(...this.requests.slice(index));
        break;
      }
      if (holder === this) {
        left.push(request);
        continue;
      }
      holders.set(request.objectId, this);
      request.endWait();
      taken.push(request);
    }
    this.requests = left;
    return taken;
  }

  /** Refuses requests, those that wait. */
  refuse(requests: ReadonlySet<WaitingRequest>, error: unknown): void {
    const refused = this.requests.filter((request) => requests.has(request));
    this.requests = this.requests.filter((request) => !requests.has(request));
    for (const request of refused) request.reject(error);
  }

  private limitWait(request: WaitingRequest): void {
    request.wait(() => this.refuse(new Set([request]), tooMany()));
  }
}

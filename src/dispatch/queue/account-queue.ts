import type { Deadline } from '../../database/index.js';
import { unavailable } from '../../errors/errors.js';
import type { Outcome, Run } from '../transaction/dispatch-result.js';

/** Most dispatches that wait for one router in one process. Further ones get 503. */
const MOST_WAITING = 5_000;

/** Milliseconds that a dispatch waits to be taken, unless it must be answered before. Then it gets 503. */
const PATIENCE = 5_000;

/**
 * Milliseconds for statements that a dispatch needs to be taken into a transaction. It is more than a
 * statement needs to begin: when the clock ends a transaction, the first of its dispatches has less left.
 */
const LEAST = 1_000;

/** A dispatch that waits for its outcome. */
export interface WaitingDispatch extends Run {
  /** When its request must be answered. */
  readonly deadline: Deadline | undefined;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
  /** Until when it waits to be taken, by the clock of `performance`. */
  until?: number;
  /** Ends its wait. */
  timer?: NodeJS.Timeout;
}

/** The dispatches of one account that wait in this process. Routers get their turns one after the other. */
export class AccountQueue {
  /** Whether a transaction is under way that dispatches share, or waits for its part of the connections. */
  isShared = false;
  /** Number of transactions that are under way, or wait for their part of the connections. */
  transactions = 0;
  /** The routers whose dispatches wait for one that runs alone. */
  readonly stopped = new Set<string>();
  /** By router, those whose turn is next first; each in the order in which they came. */
  private routers = new Map<string, Set<WaitingDispatch>>();

  constructor(readonly accountId: string) {}

  /** Number of dispatches that wait. */
  get waiting(): number {
    return [...this.routers.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Whether nothing waits and nothing is under way. */
  get isEmpty(): boolean {
    return this.routers.size === 0 && this.transactions === 0;
  }

  /** Whether a dispatch can share a transaction. */
  get hasNext(): boolean {
    return [...this.routers.keys()].some((id) => !this.stopped.has(id));
  }

  /** Adds a dispatch. It is refused where too many wait for its router, and after too long a wait. */
  add(one: WaitingDispatch): void {
    const waiting = this.routers.get(one.routerId) ?? new Set();
    if (waiting.size >= MOST_WAITING) return one.reject(tooMany());
    this.routers.set(one.routerId, waiting.add(one));
    this.wait(one);
  }

  /** Takes dispatches of the routers in turn. A second one for a record stays: it must see the first. */
  take(most: number): WaitingDispatch[] {
    const taken = new Map<string, WaitingDispatch>();
    let open = [...this.routers].flatMap(([id, waiting]) => (this.stopped.has(id) ? [] : [waiting]));
    while (open.length > 0 && taken.size < most) {
      open = open.slice(0, most - taken.size).filter((waiting) => {
        const next = firstBut(waiting, taken);
        if (next === undefined) return false;
        taken.set(next.objectId, next);
        clearTimeout(next.timer);
        this.remove(next);
        return true;
      });
    }
    return [...taken.values()];
  }

  /** Returns dispatches that were taken. They are first again, in their order, and are taken next. */
  putBack(all: readonly WaitingDispatch[]): void {
    if (all.length === 0) return;
    const waiting = [...all, ...[...this.routers.values()].flatMap((each) => [...each])];
    this.routers = new Map();
    for (const one of waiting) {
      this.routers.set(one.routerId, (this.routers.get(one.routerId) ?? new Set()).add(one));
    }
    for (const one of all) this.wait(one);
  }

  /** Refuses a dispatch that waits for too long, whether it was taken in the meantime or not. */
  private wait(one: WaitingDispatch): void {
    const now = performance.now();
    one.until ??= now + Math.min(PATIENCE, timeLeft(one) - LEAST);
    const giveUp = (): void => {
      this.remove(one);
      one.reject(tooMany());
    };
    one.timer = setTimeout(giveUp, Math.max(0, one.until - now));
  }

  /** Takes a dispatch off its router, which has its next turn behind the others. */
  private remove(one: WaitingDispatch): void {
    const waiting = this.routers.get(one.routerId);
    waiting?.delete(one);
    this.routers.delete(one.routerId);
    if (waiting !== undefined && waiting.size > 0) this.routers.set(one.routerId, waiting);
  }
}

/** Refuses those with too little time left. @param error called for each: it costs a stack trace */
export function refuseLate(all: readonly WaitingDispatch[], error: () => Error): WaitingDispatch[] {
  return all.filter((one) => {
    const isInTime = timeLeft(one) >= LEAST;
    if (!isInTime) one.reject(error());
    return isInTime;
  });
}

/** Returns the first for another record. */
function firstBut(
  waiting: ReadonlySet<WaitingDispatch>,
  taken: ReadonlyMap<string, WaitingDispatch>,
): WaitingDispatch | undefined {
  for (const one of waiting) if (!taken.has(one.objectId)) return one;
  return undefined;
}

/** Milliseconds in which statements may begin. */
function timeLeft({ deadline }: WaitingDispatch): number {
  return deadline?.left ?? Infinity;
}

function tooMany(): Error {
  return unavailable('Too many dispatches wait for this router, try again shortly');
}

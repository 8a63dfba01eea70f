import type { Deadline } from '../../database/index.js';
import { unavailable } from '../../errors/errors.js';
import type { Outcome, Run } from '../transaction/run.js';

/** Most dispatches that wait for one router in one process. Further ones get 503. */
const MOST_WAITING = 5_000;

/**
 * Milliseconds that a dispatch waits for its transaction to begin, unless it must be answered before. Then it
 * gets 503.
 */
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
  /** Until when it waits for its transaction to begin, by the clock of `performance`. */
  readonly until: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** The dispatches of one account that wait in this process. Routers get their turns one after the other. */
export class AccountQueue {
  /** Whether a transaction is under way that dispatches share, or waits for its part of the connections. */
  isShared = false;
  /** Number of such transactions that serve one dispatch, whose record somebody else has locked. */
  alone = 0;
  /** By router, those whose turn is next first; each in the order in which they came. */
  private routers = new Map<string, Set<WaitingDispatch>>();
  /** The dispatches that are to run alone. What comes behind them for their routers waits for them. */
  private readonly held = new Map<string, WaitingDispatch>();
  /** The routers of these, also while they run. */
  private readonly stopped = new Set<string>();
  private readonly timers = new Map<WaitingDispatch, NodeJS.Timeout>();

  constructor(readonly accountId: string) {}

  /** Number of dispatches that wait. */
  get waiting(): number {
    return this.timers.size;
  }

  /** Number of transactions that are under way, or wait for their part of the connections. */
  get transactions(): number {
    return this.alone + (this.isShared ? 1 : 0);
  }

  /** Whether a dispatch can share a transaction. */
  get hasNext(): boolean {
    return [...this.routers].some(([id, waiting]) => waiting.size > 0 && !this.stopped.has(id));
  }

  /** Whether a dispatch is to run alone. */
  get hasHeld(): boolean {
    return this.held.size > 0;
  }

  /**
   * Adds a dispatch. Refuses it where too many wait for its router, and later where it has waited too long.
   */
  add(one: Omit<WaitingDispatch, 'until'>): void {
    const waiting = this.routers.get(one.routerId) ?? new Set();
    if (waiting.size >= MOST_WAITING) return one.reject(tooMany());
    const patience = Math.max(0, Math.min(PATIENCE, timeLeft(one) - LEAST));
    const added = { ...one, until: performance.now() + patience };
    this.routers.set(one.routerId, waiting.add(added));
    this.wait(added);
  }

  /**
   * Takes dispatches for a transaction, of the routers in turn. A second one for a record stays, because it
   * must see what becomes of the first.
   */
  take(most: number): WaitingDispatch[] {
    const taken = new Map<string, WaitingDispatch>();
    let open = [...this.routers].flatMap(([id, waiting]) => (this.stopped.has(id) ? [] : [waiting]));
    while (open.length > 0 && taken.size < most) {
      open = open.slice(0, most - taken.size).filter((waiting) => {
        const next = firstBut(waiting, taken);
        if (next === undefined) return false;
        taken.set(next.objectId, next);
        this.begin(next);
        return true;
      });
    }
    return [...taken.values()];
  }

  /** Takes a dispatch that is to run alone. Its router goes on with `release`. */
  takeHeld(): WaitingDispatch | undefined {
    const [one] = this.held.values();
    if (one === undefined) return undefined;
    this.held.delete(one.routerId);
    this.endWait(one);
    return one;
  }

  /** Has a dispatch run alone that was taken. */
  hold(one: WaitingDispatch): void {
    this.held.set(one.routerId, one);
    this.stopped.add(one.routerId);
    this.wait(one);
  }

  /** Ends what `hold` began. */
  release({ routerId }: WaitingDispatch): void {
    this.stopped.delete(routerId);
  }

  /** Returns dispatches that were taken. They are first again, in their order. */
  putBack(all: readonly WaitingDispatch[]): void {
    if (all.length === 0) return;
    const first = new Map<string, Set<WaitingDispatch>>();
    for (const one of all) {
      first.set(one.routerId, (first.get(one.routerId) ?? new Set()).add(one));
      this.wait(one);
    }
    for (const [id, waiting] of this.routers) {
      first.set(id, new Set([...(first.get(id) ?? []), ...waiting]));
    }
    this.routers = first;
  }

  /** Takes a dispatch off its router, which has its next turn behind the others. */
  private begin(one: WaitingDispatch): void {
    const { routerId } = one;
    const waiting = this.routers.get(routerId);
    waiting?.delete(one);
    this.routers.delete(routerId);
    if (waiting !== undefined && waiting.size > 0) this.routers.set(routerId, waiting);
    this.endWait(one);
  }

  private wait(one: WaitingDispatch): void {
    const left = Math.max(0, one.until - performance.now());
    this.timers.set(
      one,
      setTimeout(() => this.giveUp(one), left),
    );
  }

  private endWait(one: WaitingDispatch): void {
    clearTimeout(this.timers.get(one));
    this.timers.delete(one);
  }

  private giveUp(one: WaitingDispatch): void {
    this.endWait(one);
    this.routers.get(one.routerId)?.delete(one);
    if (this.held.get(one.routerId) === one) {
      this.held.delete(one.routerId);
      this.release(one);
    }
    one.reject(tooMany());
  }
}

/**
 * Refuses the dispatches that have too little time left.
 * @param error called for each of them: an error that nobody gets costs its stack trace
 * @returns the others
 */
export function refuseLate(all: readonly WaitingDispatch[], error: () => Error): WaitingDispatch[] {
  const isInTime = all.map((one) => timeLeft(one) >= LEAST);
  all.filter((_, n) => isInTime[n] === false).forEach((one) => one.reject(error()));
  return all.filter((_, n) => isInTime[n]);
}

/** Milliseconds in which statements may begin. */
function timeLeft({ deadline }: Pick<WaitingDispatch, 'deadline'>): number {
  return deadline?.left ?? Infinity;
}

/** Returns the first for a record that has none. */
function firstBut(
  waiting: ReadonlySet<WaitingDispatch>,
  taken: ReadonlyMap<string, WaitingDispatch>,
): WaitingDispatch | undefined {
  for (const one of waiting) if (!taken.has(one.objectId)) return one;
  return undefined;
}

function tooMany(): Error {
  return unavailable('Too many dispatches wait for this router, try again shortly');
}

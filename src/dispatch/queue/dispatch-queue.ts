import { Inject, Injectable } from '@nestjs/common';
import type { AccountContext, AccountShares } from '../../accounts/index.js';
import { DatabaseUnavailableError, Deadline, isUnavailable } from '../../database/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { unavailable } from '../../errors/errors.js';
import { DispatchRunner } from '../transaction/dispatch-runner.js';
import type { Outcome } from '../transaction/outcome.js';

/**
 * Most records in one transaction. Large enough to share a commit, small enough to keep the transaction
 * short.
 */
const MOST_AT_ONCE = 64;

/** Most requests that wait for one router in one process. Further requests get 503. */
const MOST_WAITING = 5_000;

/**
 * Milliseconds that a request waits for its transaction to begin, unless it must be answered before. Then it
 * gets 503.
 */
const PATIENCE = 5_000;

/**
 * Milliseconds for statements that a request needs to be taken into a transaction. It is more than a step of
 * the limits of answers (500 ms): when the clock ends a transaction, the first of its requests has less left.
 */
const LEAST = 1_000;

/** Injection token of the AccountShares of the lanes. */
export const LANE_SHARES = Symbol('LaneShares');

interface Waiting {
  readonly objectId: string;
  /** Of its request. */
  readonly deadline: Deadline | undefined;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
  /** Ends the wait. */
  readonly timer: NodeJS.Timeout;
}

/** The requests of this process that wait for one router. */
interface Lane {
  readonly account: AccountContext;
  readonly routerId: string;
  readonly waiting: Waiting[];
}

/**
 * Lets requests that wait for the same router in this process share a transaction. One transaction runs at a
 * time. The next one takes all requests that arrived while the one before committed. A single request starts
 * at once. Many requests thus share one router lock and one disk flush. Each request gets its own outcome. A
 * transaction takes one part of what the lanes of the account share, however many requests it serves. That is
 * apart from what requests share, so that a request which holds its part may wait for a dispatch.
 */
@Injectable()
export class DispatchQueue {
  private readonly lanes = new Map<string, Lane>();

  constructor(
    private readonly runner: DispatchRunner,
    @Inject(LANE_SHARES) private readonly shares: AccountShares,
  ) {}

  /**
   * Queues a dispatch.
   * @param objectId well-formed
   * @returns the outcome
   * @throws 404 for an unknown router, 503 when too many requests wait for it, this one has waited too long
   *   or too little time is left for it, and what the database throws
   */
  submit(account: AccountContext, routerId: string, objectId: string): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const key = `${account.accountId} ${routerId}`;
      const open = this.lanes.get(key);
      if (open !== undefined && open.waiting.length >= MOST_WAITING) {
        reject(tooMany());
        return;
      }
      const { accountId, deadline } = account;
      const lane = open ?? { account: { accountId }, routerId, waiting: [] };
      const patience = Math.max(0, Math.min(PATIENCE, timeFor({ deadline }) - LEAST));
      const timer = setTimeout(() => giveUp(lane, waiting), patience);
      const waiting: Waiting = { objectId, deadline, resolve, reject, timer };
      lane.waiting.push(waiting);
      if (open !== undefined) return;
      this.lanes.set(key, lane);
      void this.drain(key, lane);
    });
  }

  private async drain(key: string, lane: Lane): Promise<void> {
    while (lane.waiting.length > 0) await this.runNext(lane);
    this.lanes.delete(key);
  }

  private async runNext(lane: Lane): Promise<void> {
    let leave = this.shares.enterNow(lane.account);
    const present = new Set(leave === undefined ? lane.waiting : []);
    try {
      leave ??= await this.shares.enter(lane.account);
    } catch (error) {
      // What came while the lane waited for its share has not waited as long, and is tried again.
      lane.waiting.push(...lane.waiting.splice(0).filter((one) => !present.has(one)));
      for (const { reject, timer } of present) {
        clearTimeout(timer);
        reject(error);
      }
      return;
    }
    try {
      const batch = takeTogether(lane.waiting);
      for (const { timer } of batch) clearTimeout(timer);
      if (batch.length > 0) await this.runTogether(lane, batch);
    } finally {
      leave();
    }
  }

  /** Runs requests in one transaction, or in several where their records are too large together. */
  private async runTogether(lane: Lane, asked: readonly Waiting[]): Promise<void> {
    const batch = refuseLate(asked, tooLate());
    if (batch.length === 0) return;
    let left: readonly Waiting[] = [];
    try {
      const ids = batch.map(({ objectId }) => objectId);
      // What becomes of one is not known before what becomes of all.
      const deadline = Deadline.first(batch.map((one) => one.deadline));
      const outcomes = await this.runner.run({ ...lane.account, deadline }, lane.routerId, ids);
      if (outcomes.length === 0) throw new Error('A dispatch has no outcome');
      // The next transaction is sent first, so that the database works on it while these requests are
      // answered.
      setImmediate(() => outcomes.forEach((outcome, index) => batch[index]?.resolve(outcome)));
      left = batch.slice(outcomes.length);
    } catch (error) {
      // A request that has no more time ends the transaction of all, in which nothing has happened then.
      const inTime = error instanceof DatabaseUnavailableError ? refuseLate(batch, error) : batch;
      if (inTime.length < batch.length) return this.runTogether(lane, inTime);
      // An error that one record causes must not affect the other requests, so each runs again alone. An
      // error that concerns all of them (an unknown router, an unreachable database) is reported to all at
      // once.
      const forAll = batch.length === 1 || error instanceof DomainError || isUnavailable(error);
      if (forAll) for (const { reject } of batch) reject(error);
      else for (const one of batch) await this.runTogether(lane, [one]);
    }
    if (left.length > 0) await this.runTogether(lane, left);
  }
}

/** Refuses a request that has waited too long. */
function giveUp({ waiting }: Lane, one: Waiting): void {
  waiting.splice(waiting.indexOf(one), 1);
  one.reject(tooMany());
}

/** Returns the milliseconds in which statements may begin for a request. */
function timeFor({ deadline }: Pick<Waiting, 'deadline'>): number {
  return deadline?.leftForWork ?? Infinity;
}

/**
 * Refuses the requests that have too little time left.
 * @returns the others
 */
function refuseLate(batch: readonly Waiting[], error: Error): readonly Waiting[] {
  const isInTime = (one: Waiting): boolean => timeFor(one) >= LEAST;
  for (const one of batch) if (!isInTime(one)) one.reject(error);
  return batch.filter(isInTime);
}

function tooLate(): Error {
  return unavailable('Too little time is left for this dispatch, try again shortly');
}

function tooMany(): Error {
  return unavailable('Too many dispatches wait for this router, try again shortly');
}

/**
 * Takes the next requests, each for a different record. A second request for a record waits, because it must
 * see the result of the first.
 */
function takeTogether(waiting: Waiting[]): Waiting[] {
  const taken = new Map<string, Waiting>();
  const left: Waiting[] = [];
  for (const one of waiting.splice(0)) {
    if (taken.size < MOST_AT_ONCE && !taken.has(one.objectId)) taken.set(one.objectId, one);
    else left.push(one);
  }
  waiting.push(...left);
  return [...taken.values()];
}

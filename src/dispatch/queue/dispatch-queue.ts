import { Inject, Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import type { AccountContext, AccountShares } from '../../accounts/index.js';
import { DatabaseUnavailableError, Deadline, isUnavailable } from '../../database/index.js';
import { unavailable } from '../../errors/errors.js';
import { Metrics } from '../../metrics/metrics.js';
import { RefusedByHook } from '../transaction/assignment-hooks.js';
import { MOST_AT_ONCE } from '../transaction/dispatch-loader.js';
import { DispatchRunner } from '../transaction/dispatch-runner.js';
import type { Left, Outcome, Run } from '../transaction/dispatch-result.js';
import { AccountQueue, refuseLate, type WaitingDispatch } from './account-queue.js';

/** Injection token of the AccountShares of transactions that dispatches share: an account has one. */
export const DISPATCH_SHARES = Symbol('DispatchShares');

/** Injection token of the AccountShares of transactions in which one dispatch waits for its record. */
export const HELD_SHARES = Symbol('HeldShares');

/**
 * Lets dispatches of the same account that wait in this process share a transaction, and thus one flush of
 * the disk. The next one takes what arrived while the one before committed. A single dispatch starts at once.
 * One whose record somebody else has locked runs alone, so that the others do not wait for it. Transactions
 * take parts of the connections apart from those of requests, so that a request which holds its part may wait
 * for a dispatch.
 */
@Injectable()
export class DispatchQueue {
  private readonly accounts = new Map<string, AccountQueue>();

  constructor(
    private readonly runner: DispatchRunner,
    @Inject(DISPATCH_SHARES) private readonly shares: AccountShares,
    @Inject(HELD_SHARES) private readonly heldShares: AccountShares,
    { registry }: Metrics,
  ) {
    if (registry === undefined) return;
    const gauge = (name: string, help: string, value: (queue: AccountQueue) => number): void => {
      const { accounts } = this;
      const collect = function (this: Gauge): void {
        this.set([...accounts.values()].reduce((sum, queue) => sum + value(queue), 0));
      };
      new Gauge({ name, help, registers: [registry], collect });
    };
    gauge('fairlead_dispatch_waiting', 'Dispatches that wait for a transaction', ({ waiting }) => waiting);
    gauge(
      'fairlead_dispatch_transactions',
      'Transactions of dispatches that are in progress, or wait for their part of the connections',
      ({ transactions }) => transactions,
    );
  }

  /**
   * Queues a dispatch. @throws 503 when too many wait for the router, this one has waited too long or has too
   * little time left, and what the database throws
   */
  submit(account: AccountContext, routerId: string, objectId: string): Promise<Outcome> {
    const { accountId, deadline, requestId } = account;
    return new Promise((resolve, reject) => {
      const queue = this.accounts.get(accountId) ?? new AccountQueue(accountId);
      this.accounts.set(accountId, queue);
      queue.add({ routerId, objectId, requestId, deadline, resolve, reject });
      this.start(queue);
    });
  }

  /** Runs dispatches, in their order, as parts of the transaction of the account. @returns their outcomes */
  async runAsPart(account: AccountContext, runs: readonly Run[]): Promise<Outcome[]> {
    const outcomes = new Map<Run, Outcome>();
    if (account.transaction === undefined) throw new Error('There is no transaction to be part of');
    await this.runner.lock(account, runs);
    for (let left = runs; left.length > 0; left = left.filter((run) => !outcomes.has(run))) {
      // A second run on a record must see what becomes of the first.
      const records = new Set<string>();
      const once = left.filter(({ objectId }) => !records.has(objectId) && records.add(objectId));
      const ended = await this.runTogether(account, once);
      if (ended.length === 0) throw new Error('A step of a transaction ended no dispatch');
      for (const [run, outcome] of ended) outcomes.set(run, outcome);
    }
    return runs.flatMap((run) => outcomes.get(run) ?? []);
  }

  /** Runs what fits into one step of a transaction. Where a hook refuses one, the others run without it. */
  private async runTogether(
    account: AccountContext,
    runs: readonly Run[],
  ): Promise<(readonly [Run, Outcome])[]> {
    try {
      const results = await this.runner.run(account, runs);
      return runs.flatMap((run, n) => {
        const result = results[n];
        return result === undefined || isLeft(result) ? [] : [[run, result] as const];
      });
    } catch (error) {
      if (!(error instanceof RefusedByHook)) throw error;
      const [first, second] = halves(runs);
      return [...(await this.runTogether(account, first)), ...(await this.runTogether(account, second))];
    }
  }

  private start(queue: AccountQueue): void {
    if (!queue.isShared && queue.hasNext) void this.serve(queue);
    if (queue.isEmpty) this.accounts.delete(queue.accountId);
  }

  /** Runs a transaction when the account has a share for it, and then the next one. */
  private async serve(queue: AccountQueue): Promise<void> {
    queue.isShared = true;
    queue.transactions += 1;
    const leave = this.shares.enterNow(queue) ?? (await this.shares.enter(queue).catch(() => undefined));
    // Where there was no share in time, those that wait give up themselves.
    if (leave !== undefined) await this.together(queue, queue.take(MOST_AT_ONCE)).finally(leave);
    queue.isShared = false;
    queue.transactions -= 1;
    this.start(queue);
  }

  /** Runs a dispatch by itself that waits for its record. What its router has behind it waits, too. */
  private async alone(queue: AccountQueue, one: WaitingDispatch): Promise<void> {
    queue.stopped.add(one.routerId);
    queue.transactions += 1;
    try {
      const leave = await this.heldShares.enter(queue);
      await this.together(queue, [one], true).finally(leave);
    } catch (error) {
      one.reject(error);
    }
    queue.stopped.delete(one.routerId);
    queue.transactions -= 1;
    this.start(queue);
  }

  /** Runs dispatches in one transaction, and answers each for itself. Never throws. */
  private async together(queue: AccountQueue, all: readonly WaitingDispatch[], waits = false): Promise<void> {
    const taken = refuseLate(all, tooLate);
    if (taken.length === 0) return;
    try {
      // What becomes of one is not known before what becomes of all.
      const deadline = Deadline.first(taken.map((one) => one.deadline));
      const { accountId } = queue;
      this.settle(queue, taken, await this.runner.run({ accountId, deadline }, taken, { waits }));
    } catch (error) {
      // A dispatch that has no more time ends the transaction of all, in which nothing has happened then.
      const inTime = error instanceof DatabaseUnavailableError ? refuseLate(taken, () => error) : taken;
      if (inTime.length < taken.length) await this.together(queue, inTime, waits);
      else if (taken.length === 1 || isUnavailable(error)) taken.forEach(({ reject }) => reject(error));
      else for (const half of halves(taken)) await this.together(queue, half, waits);
    }
  }
  /** Answers dispatches that have run. The others run later, or alone. */
  private settle(
    queue: AccountQueue,
    taken: readonly WaitingDispatch[],
    results: readonly (Outcome | Left)[],
  ): void {
    queue.putBack(taken.filter((_, n) => results[n] === 'later'));
    for (const one of taken.filter((_, n) => results[n] === 'held')) void this.alone(queue, one);
    // The next transaction is sent first, so that the database works on it meanwhile.
    setImmediate(() =>
      results.forEach((result, n) => {
        if (!isLeft(result)) taken[n]?.resolve(result);
      }),
    );
  }
}

/** An error that one of several causes must not affect the others, so each half of them runs by itself. */
function halves<T>(all: readonly T[]): [readonly T[], readonly T[]] {
  const middle = all.length >> 1;
  return [all.slice(0, middle), all.slice(middle)];
}

function isLeft(result: Outcome | Left): result is Left {
  return typeof result === 'string';
}

function tooLate(): Error {
  return unavailable('Too little time is left for this dispatch, try again shortly');
}

import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { DatabaseUnavailableError, Deadline, isAnswered, isUnavailable } from '../../database/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { DispatchRunner } from '../transaction/dispatch-runner.js';
import type { Locking } from '../transaction/dispatch-loader.js';
import type { Outcome } from '../transaction/outcome.js';
import type { Taken } from './account-lanes.js';
import { refuseLate, tooLate } from './waiting-request.js';

/** Runs requests of lanes in one transaction, and answers each for itself. */
@Injectable()
export class LaneTransaction {
  constructor(private readonly runner: DispatchRunner) {}

  /**
   * Never throws. A lane gets back the requests that are left for another transaction.
   * @param locking waits where the only lane must be served alone
   */
  async run(account: AccountContext, asked: readonly Taken[], locking: Locking): Promise<void> {
    const taken = withoutLate(asked, tooLate);
    if (taken.length === 0) return;
    try {
      await this.runAll(account, taken, locking);
    } catch (error) {
      // A request that has no more time ends the transaction of all, in which nothing has happened then.
      const inTime = error instanceof DatabaseUnavailableError ? withoutLate(taken, () => error) : taken;
      if (countOf(inTime) < countOf(taken)) return this.run(account, inTime, locking);
      if (taken.length > 1) failTogether(taken, error);
      else for (const one of taken) await this.failOne(account, one, error);
    }
  }

  /** Runs one request as part of the transaction of the account. @throws what the runner throws */
  async runOne(account: AccountContext, routerId: string, objectId: string): Promise<Outcome> {
    const runs = { routerId, objectIds: [objectId], requestIds: [account.requestId] };
    const [result] = await this.runner.run(account, [runs], { waits: true });
    const outcome = result?.outcomes[0];
    if (outcome === undefined) throw new Error('A dispatch has no outcome');
    return outcome;
  }

  private async runAll(account: AccountContext, taken: readonly Taken[], locking: Locking): Promise<void> {
    // What becomes of one is not known before what becomes of all.
    const deadline = Deadline.first(taken.flatMap(({ requests }) => requests.map((one) => one.deadline)));
    const runs = taken.map(({ lane: { routerId }, requests }) => ({
      routerId,
      objectIds: requests.map(({ objectId }) => objectId),
      requestIds: requests.map(({ requestId }) => requestId),
    }));
    const results = await this.runner.run({ ...account, deadline }, runs, locking);
    if (results.every(({ outcomes, alone }) => outcomes.length === 0 && !alone)) {
      throw new Error('A dispatch has no outcome');
    }
    for (const [index, { lane, requests }] of taken.entries()) {
      const { outcomes = [], alone = false } = results[index] ?? {};
      lane.isAlone = alone;
      lane.putBack(requests.slice(outcomes.length));
      // The next transaction is sent first, so that the database works on it while these requests are
      // answered.
      setImmediate(() => outcomes.forEach((outcome, nth) => requests[nth]?.resolve(outcome)));
    }
  }

  /**
   * An error that one record causes must not affect the other requests of the lane, so each runs again alone,
   * and waits for locks, to keep its turn. An error that concerns all of them (an unknown router, an
   * unreachable database) is reported to all at once.
   */
  private async failOne(account: AccountContext, { lane, requests }: Taken, error: unknown): Promise<void> {
    const forAll = requests.length === 1 || error instanceof DomainError || isUnavailable(error);
    for (const one of requests) {
      if (forAll) one.reject(error);
      else await this.run(account, [{ lane, requests: [one] }], { waits: true });
    }
  }
}

/**
 * An error that one router causes must not affect the others, so each lane runs again alone. An unreachable
 * database is reported to all requests at once.
 */
function failTogether(taken: readonly Taken[], error: unknown): void {
  const forAll = isUnavailable(error) && !isAnswered(error);
  for (const { lane, requests } of taken) {
    if (forAll) for (const one of requests) one.reject(error);
    else {
      lane.isAlone = true;
      lane.putBack(requests);
    }
  }
}

function withoutLate(taken: readonly Taken[], error: () => Error): Taken[] {
  const inTime = taken.map(({ lane, requests }) => ({ lane, requests: refuseLate(requests, error) }));
  return inTime.filter(({ requests }) => requests.length > 0);
}

function countOf(taken: readonly Taken[]): number {
  return taken.reduce((sum, { requests }) => sum + requests.length, 0);
}

import { Inject, Injectable } from '@nestjs/common';
import type { AccountContext, AccountShares } from '../../accounts/index.js';
import type { Outcome } from '../transaction/outcome.js';
import { AccountLanes } from './account-lanes.js';
import type { Lane } from './lane.js';
import { LaneTransaction } from './lane-transaction.js';
import { WaitingRequest } from './waiting-request.js';

/** Injection token of the AccountShares of the lanes. */
export const LANE_SHARES = Symbol('LaneShares');

/**
 * Lets requests that wait for routers of the same account in this process share a transaction. The next one
 * takes requests that arrived while the one before committed. A single request starts at once. Many requests
 * thus share one disk flush. Each request gets its own outcome. A router whose lock somebody else holds, or
 * that has made a transaction fail, is served alone, so that the others do not wait for it. A transaction
 * takes one part of what the lanes of the account share, however many requests it serves. That is apart from
 * what requests share, so that a request which holds its part may wait for a dispatch.
 */
@Injectable()
export class DispatchQueue {
  private readonly accounts = new Map<string, AccountLanes>();

  constructor(
    private readonly transaction: LaneTransaction,
    @Inject(LANE_SHARES) private readonly shares: AccountShares,
  ) {}

  /** Requests that wait for a transaction, and transactions that are in progress or wait for their share. */
  get load(): { readonly waiting: number; readonly transactions: number } {
    const lanes = [...this.accounts.values()];
    return {
      waiting: lanes.reduce((sum, { waiting }) => sum + waiting, 0),
      transactions: lanes.reduce((sum, { transactions }) => sum + transactions, 0),
    };
  }

  /**
   * Queues a dispatch. One that is part of a transaction runs in that.
   * @param objectId well-formed
   * @returns the outcome
   * @throws 404 for an unknown router, 503 when too many requests wait for it, this one has waited too long
   *   or too little time is left for it, and what the database throws
   */
  submit(account: AccountContext, routerId: string, objectId: string): Promise<Outcome> {
    if (account.transaction !== undefined) return this.transaction.runOne(account, routerId, objectId);
    const { accountId } = account;
    return new Promise((resolve, reject) => {
      const lanes = this.accounts.get(accountId) ?? new AccountLanes({ accountId });
      this.accounts.set(accountId, lanes);
      const lane = lanes.of(routerId);
      lane.add(new WaitingRequest(objectId, account, { resolve, reject }));
      if (lane.isAlone || !lanes.isSharing) this.start(lanes);
    });
  }

  /** Starts the transactions that can start now. */
  private start(lanes: AccountLanes): void {
    // One part of the share is left for the other lanes, where there are several parts.
    const mostAlone = Math.max(1, this.shares.most - 1);
    for (const lane of lanes.ready(true).slice(0, Math.max(0, mostAlone - lanes.alone))) {
      lane.isServed = true;
      lanes.alone += 1;
      void this.serve(lanes, () => [lane], true);
    }
    if (!lanes.isSharing && lanes.ready(false).length > 0) {
      lanes.isSharing = true;
      void this.serve(lanes, () => lanes.ready(false), false);
    }
    if (lanes.isEmpty) this.accounts.delete(lanes.account.accountId);
  }

  /** Runs a transaction when the account has a share for it. */
  private async serve(lanes: AccountLanes, pick: () => readonly Lane[], isAlone: boolean): Promise<void> {
    const { account } = lanes;
    try {
      let leave = this.shares.enterNow(account);
      const present = new Set(leave === undefined ? pick().flatMap(({ waiting }) => waiting) : []);
      try {
        leave ??= await this.shares.enter(account);
      } catch (error) {
        // What came meanwhile has not waited as long, and is tried again.
        for (const lane of pick()) lane.refuse(present, error);
        return;
      }
      const taken = lanes.take(pick());
      try {
        await this.transaction.run(account, taken, { waits: isAlone });
      } finally {
        lanes.release(taken);
        leave();
      }
    } finally {
      if (isAlone) {
        for (const lane of pick()) lane.isServed = false;
        lanes.alone -= 1;
      } else lanes.isSharing = false;
      this.start(lanes);
    }
  }
}

import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Transaction } from '../../database/index.js';
import * as statements from './dispatch.statements.js';

/**
 * The locks of dispatches. A transaction takes those of routers before those of records, and those of users
 * last. It waits for the lock of one router, or tries those of several: no transaction waits for a router
 * while it has another one, so no two wait for each other.
 */
@Injectable()
export class DispatchLocks {
  /**
   * Waits for the router's lock. Keeps the account's configuration from changing until the transaction ends.
   */
  async waitForRouter(tx: Transaction, { accountId }: AccountContext, routerId: string): Promise<void> {
    await tx.query(statements.LOCK_ROUTER, [accountId, routerId]);
  }

  /**
   * Locks those of the routers that are free. Keeps the account's configuration from changing until the
   * transaction ends.
   * @returns the routers that are locked now
   */
  async tryRouters(
    tx: Transaction,
    { accountId }: AccountContext,
    routerIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const rows = await tx.query<{ locked: readonly string[] }>(statements.TRY_ROUTERS, [
      accountId,
      [...routerIds].sort(),
    ]);
    return new Set(rows.flatMap(({ locked }) => locked));
  }

  /** Keeps other routers' dispatches from changing the counts of these users until the transaction ends. */
  async waitForUsers(
    tx: Transaction,
    { accountId }: AccountContext,
    emails: readonly string[],
  ): Promise<void> {
    await tx.query(statements.LOCK_USERS, [accountId, emails]);
  }
}

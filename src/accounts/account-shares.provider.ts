import type { FactoryProvider, InjectionToken } from '@nestjs/common';
import { Database } from '../database/index.js';
import { AccountActivity } from './account-activity.js';
import { AccountShares, type ShareLimits } from './account-shares.js';

/** Units of work of one account that wait in one process. */
const WAITING = 1_000;

/** Milliseconds that work waits. */
const PATIENCE = 5_000;

/**
 * Provides AccountShares that divide the connections of this process.
 * @param token under which they are injected
 * @param parts parts of the connections that one account may use
 */
export function accountShares(
  token: InjectionToken,
  parts: Pick<ShareLimits, 'shared' | 'alone'>,
): FactoryProvider<AccountShares> {
  return {
    provide: token,
    inject: [Database, AccountActivity],
    useFactory: ({ connections }: Database, activity: AccountActivity) => {
      const share = (part: number): number => Math.max(1, Math.floor(connections * part));
      const limits = { shared: share(parts.shared), alone: share(parts.alone) };
      return new AccountShares(
        { total: connections, ...limits, waiting: WAITING, patience: PATIENCE },
        activity,
      );
    },
  };
}

import { Module, type FactoryProvider, type InjectionToken } from '@nestjs/common';
import { Database } from '../database/index.js';
import { AccountActivity } from './account-activity.js';
import { AccountShares, type ShareLimits } from './account-shares.js';
import { AccountsRepository } from './accounts.repository.js';

/** Parts of the connections that the requests of one account may use: while others are active, and alone. */
const PARTS = { shared: 3 / 20, alone: 9 / 10 };

/** Units of work of one account that wait in one process. */
const WAITING = 1_000;

/** For how long work waits. */
const PATIENCE_MS = 5_000;

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
    useFactory: ({ connections: total }: Database, activity: AccountActivity) => {
      const share = (part: number): number => Math.max(1, Math.floor(total * part));
      const most = { total, shared: share(parts.shared), alone: share(parts.alone) };
      return new AccountShares({ ...most, waiting: WAITING, patience: PATIENCE_MS }, activity);
    },
  };
}

/** Provides the accounts, and the shares of their requests in the connections of this process. */
@Module({
  providers: [AccountActivity, AccountsRepository, accountShares(AccountShares, PARTS)],
  exports: [AccountActivity, AccountsRepository, AccountShares],
})
export class AccountsModule {}

import { Module } from '@nestjs/common';
import { AccountActivity } from './account-activity.js';
import { accountShares } from './account-shares.provider.js';
import { AccountShares } from './account-shares.js';
import { AccountsRepository } from './accounts.repository.js';

/** Parts of the connections that the requests of one account may use: while others are active, and alone. */
const PARTS = { shared: 3 / 20, alone: 9 / 10 };

/** Provides the accounts, and the shares of their requests in the connections of this process. */
@Module({
  providers: [AccountActivity, AccountsRepository, accountShares(AccountShares, PARTS)],
  exports: [AccountActivity, AccountsRepository, AccountShares],
})
export class AccountsModule {}

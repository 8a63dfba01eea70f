import { Module } from '@nestjs/common';
import { Database } from '../database/index.js';
import { AccountActivity, AccountShares } from './account-shares.js';
import { AccountsRepository } from './accounts.repository.js';

/** Parts of the connections that the requests of one account may use: while others are active, and alone. */
const PARTS = { shared: 3 / 20, alone: 3 / 4 };

/** Provides the accounts, and the shares of their requests in the connections of this process. */
@Module({
  providers: [
    AccountActivity,
    AccountsRepository,
    {
      provide: AccountShares,
      inject: [Database, AccountActivity],
      useFactory: ({ connections }: Database, activity: AccountActivity) =>
        AccountShares.of(connections, PARTS, activity),
    },
  ],
  exports: [AccountActivity, AccountsRepository, AccountShares],
})
export class AccountsModule {}

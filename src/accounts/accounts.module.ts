import { Module } from '@nestjs/common';
import { Database } from '../database/index.js';
import { AccountShares } from './account-shares.js';
import { AccountsRepository } from './accounts.repository.js';

/** Parts of the connections that the requests of one account may use: while others are active, and alone. */
const PARTS = { shared: 3 / 20, alone: 3 / 4 };

/** Provides the accounts, and the shares of their requests in the connections of this process. */
@Module({
  providers: [
    AccountsRepository,
    {
      provide: AccountShares,
      inject: [Database],
      useFactory: ({ connections }: Database) => AccountShares.of(connections, PARTS),
    },
  ],
  exports: [AccountsRepository, AccountShares],
})
export class AccountsModule {}

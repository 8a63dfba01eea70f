import { Module } from '@nestjs/common';
import { Database } from '../database/index.js';
import { AccountShares } from './account-shares.js';
import { AccountsRepository } from './accounts.repository.js';

/** Part of the connections that one account may use while other accounts are active, and while none is. */
const SHARED = 3 / 20;
const ALONE = 3 / 4;

/** Requests of one account that wait for its share in one process. */
const WAITING = 1_000;

/** Milliseconds that a request waits for its share. */
const PATIENCE = 10_000;

/** Provides the accounts, and their shares of the connections of this process. */
@Module({
  providers: [
    AccountsRepository,
    {
      provide: AccountShares,
      inject: [Database],
      useFactory: ({ connections: total }: Database) =>
        new AccountShares({
          total,
          shared: Math.max(1, Math.floor(total * SHARED)),
          alone: Math.max(1, Math.floor(total * ALONE)),
          waiting: WAITING,
          patience: PATIENCE,
        }),
    },
  ],
  exports: [AccountsRepository, AccountShares],
})
export class AccountsModule {}

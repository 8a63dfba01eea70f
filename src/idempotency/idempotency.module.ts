import { Module } from '@nestjs/common';
import { accountShares, AccountsModule } from '../accounts/index.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { IdempotentRequests, REQUEST_SHARES } from './idempotent-requests.js';

/** Parts of the connections that keyed requests of one account may use, beside others and alone. */
const PARTS = { shared: 3 / 20, alone: 1 / 5 };

@Module({
  imports: [AccountsModule],
  providers: [IdempotencyRepository, IdempotentRequests, accountShares(REQUEST_SHARES, PARTS)],
  exports: [IdempotentRequests],
})
export class IdempotencyModule {}

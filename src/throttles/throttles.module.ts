import { Module } from '@nestjs/common';
import { isUnavailable, OutcomeUnknownError } from '../database/index.js';
import type { Settings } from '../settings/settings.js';
import { SETTINGS } from '../settings/settings.token.js';
import { FailedAttempts } from './failed-attempts.js';
import { RequestCountsRepository } from './request-counts.repository.js';
import { ThrottleClock } from './throttle-clock.js';
import { Throttles } from './throttles.js';
import { UsageExchange } from './usage-exchange.js';

const now = (): number => performance.now();

const isOutage = (error: unknown): boolean => isUnavailable(error) || error instanceof OutcomeUnknownError;

@Module({
  providers: [
    RequestCountsRepository,
    ThrottleClock,
    {
      provide: UsageExchange,
      inject: [RequestCountsRepository],
      useFactory: (counts: RequestCountsRepository) =>
        new UsageExchange({ add: (reports) => counts.add(reports), now, isOutage }),
    },
    {
      provide: Throttles,
      inject: [SETTINGS, UsageExchange],
      useFactory: (settings: Settings, exchange: UsageExchange) => {
        const { RATE_LIMIT_PER_CLIENT: perClient, RATE_LIMIT_PER_ACCOUNT: perAccount } = settings;
        return new Throttles({ perClient, perAccount }, exchange, now);
      },
    },
    {
      provide: FailedAttempts,
      inject: [SETTINGS],
      useFactory: (settings: Settings) => new FailedAttempts(settings.TOKEN_RATE_LIMIT_PER_ADDRESS),
    },
  ],
  exports: [FailedAttempts, Throttles],
})
export class ThrottlesModule {}

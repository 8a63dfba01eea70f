import { Module } from '@nestjs/common';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { FailedAttempts } from './failed-attempts.js';
import { RequestCountsRepository } from './request-counts.repository.js';
import { Throttles } from './throttles.js';

@Module({
  providers: [
    RequestCountsRepository,
    Throttles,
    {
      provide: FailedAttempts,
      inject: [SETTINGS],
      useFactory: (settings: Settings) => new FailedAttempts(settings.TOKEN_RATE_LIMIT_PER_ADDRESS),
    },
  ],
  exports: [FailedAttempts, Throttles],
})
export class ThrottlesModule {}

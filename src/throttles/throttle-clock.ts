import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Settings } from '../settings/settings.js';
import { SETTINGS } from '../settings/settings.token.js';
import { RequestCountsRepository } from './request-counts.repository.js';
import { Throttles } from './throttles.js';
import { UsageExchange } from './usage-exchange.js';

/** Milliseconds between two exchanges with other processes. */
const INTERVAL = 1_000;

/** Milliseconds between two removals of windows that have ended. */
const SWEEP = 60_000;

/** Runs the exchanges of a process and removes windows that have ended. Does nothing without a limit. */
@Injectable()
export class ThrottleClock implements OnApplicationBootstrap, OnModuleDestroy {
  private timers: readonly NodeJS.Timeout[] = [];

  constructor(
    private readonly throttles: Throttles,
    private readonly exchange: UsageExchange,
    private readonly counts: RequestCountsRepository,
    @Inject(SETTINGS)
    private readonly settings: Pick<Settings, 'RATE_LIMIT_PER_CLIENT' | 'RATE_LIMIT_PER_ACCOUNT'>,
  ) {}

  onApplicationBootstrap(): void {
    const { RATE_LIMIT_PER_CLIENT, RATE_LIMIT_PER_ACCOUNT } = this.settings;
    if (RATE_LIMIT_PER_CLIENT === 0 && RATE_LIMIT_PER_ACCOUNT === 0) return;
    const sweep = (): void => {
      this.throttles.sweep();
      // What is left is removed a minute later.
      this.counts.prune().catch(() => undefined);
    };
    this.timers = [setInterval(() => void this.exchange.run(), INTERVAL), setInterval(sweep, SWEEP)];
    for (const timer of this.timers) timer.unref();
  }

  onModuleDestroy(): void {
    for (const timer of this.timers) clearInterval(timer);
  }
}

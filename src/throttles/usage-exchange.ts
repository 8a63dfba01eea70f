import { Logger } from '@nestjs/common';
import { inBatches } from '../database/index.js';
import type { SharedUsage, UsageReport, UsageWindow } from './usage-window.js';

/** Part of a limit that a process takes before it tells the others at their next exchange. */
const WORTH_TELLING = 0.01;

/** Part of a limit that a process takes before it tells the others at once. */
const URGENT = 0.02;

/** Milliseconds between the end of an exchange and the next one that is urgent. */
const REST = 20;

/** What an exchange needs. */
export interface ExchangeOptions {
  /** Adds reports to what all processes have counted, and returns the sums. */
  readonly add: (reports: readonly UsageReport[]) => Promise<readonly SharedUsage[]>;
  /** Milliseconds of a clock that never runs backwards. */
  readonly now: () => number;
  /** Whether a failure is one that is told elsewhere. */
  readonly isOutage: (error: unknown) => boolean;
  readonly logger?: Pick<Logger, 'error'>;
}

/**
 * Tells other processes how many requests this one has admitted, and learns from the same statement how many
 * all of them have. One exchange runs at a time. Where one fails, each process counts alone, and what it has
 * counted is told by the next one.
 */
export class UsageExchange {
  private readonly due = new Set<UsageWindow>();
  private running: Promise<void> | undefined;
  private hasFailed = false;
  private endedAt = -Infinity;
  private readonly logger: Pick<Logger, 'error'>;

  constructor(private readonly options: ExchangeOptions) {
    this.logger = options.logger ?? new Logger('Throttles');
  }

  /** Notes that a window has counted. What is urgent is exchanged at once, unless the last one failed. */
  note(window: UsageWindow): void {
    const { unreported, limit } = window;
    if (unreported < limit * WORTH_TELLING) return;
    this.due.add(window);
    if (unreported >= limit * URGENT && this.isRested) void this.start();
  }

  /** Exchanges what is due. Never rejects. */
  run(): Promise<void> {
    this.hasFailed = false;
    return this.start();
  }

  private get isRested(): boolean {
    return !this.hasFailed && this.running === undefined && this.options.now() - this.endedAt >= REST;
  }

  private start(): Promise<void> {
    this.running ??= this.exchangeAll().finally(() => {
      this.running = undefined;
      this.endedAt = this.options.now();
    });
    return this.running;
  }

  private async exchangeAll(): Promise<void> {
    const windows = [...this.due];
    this.due.clear();
    try {
      await inBatches(windows, (some) => this.exchange(some));
    } catch (error) {
      this.hasFailed = true;
      for (const window of windows) if (window.unreported > 0) this.due.add(window);
      if (this.options.isOutage(error)) return;
      this.logger.error(`Requests are counted by this process alone: ${String(error)}`);
    }
  }

  private async exchange(windows: readonly UsageWindow[]): Promise<void> {
    const { add, now } = this.options;
    const since = now();
    const sent = new Map(
      windows
        .filter((window) => !window.hasEnded(since))
        .map((window) => [window.key.subjectId, { window, report: window.report(since) }]),
    );
    if (sent.size === 0) return;
    for (const sum of await add([...sent.values()].map(({ report }) => report))) {
      const told = sent.get(sum.subjectId);
      told?.window.learn(told.report, sum, now());
    }
  }
}

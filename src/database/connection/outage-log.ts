import { Logger } from '@nestjs/common';
import { reasonOf } from '../errors.js';

/** Milliseconds without a failure after which an outage is over. */
const QUIET = 5_000;

/** Milliseconds without work that end a silence. */
const MOMENT = 1_000;

/**
 * Logs an outage of the database with two lines: when work fails for the first time, and when work succeeds
 * again and none has failed for five seconds. Failures in between are counted.
 */
export class OutageLog {
  private outage: { readonly since: number; last: number; failures: number } | undefined;
  private answeredAt = -Infinity;
  /** Since when work has waited and nothing was answered; undefined where the last work was answered. */
  private silentSince: number | undefined;
  /** When work last got no answer. */
  private silentUntil = -Infinity;

  /** @param now milliseconds of a clock that never runs backwards */
  constructor(
    private readonly logger: Pick<Logger, 'error' | 'warn'> = new Logger('Database'),
    readonly now = (): number => performance.now(),
  ) {}

  /** Notes work that failed because the database cannot serve. */
  failed(error: unknown): void {
    const now = this.now();
    if (this.outage !== undefined) {
      this.outage.last = now;
      this.outage.failures += 1;
      return;
    }
    this.outage = { since: now, last: now, failures: 1 };
    this.logger.error(`The database cannot serve: ${reasonOf(error)}`);
  }

  /**
   * Notes work that got no answer in time. It may have had little time, or waited for others. The database
   * cannot serve where it has answered nothing at all for as long as an answer may take.
   * @param since when the work began, by `now`
   * @param limit milliseconds of an answer
   */
  unanswered(since: number, limit: number): void {
    const now = this.now();
    // Where nothing was asked for a while, nothing could be answered.
    if (this.silentSince === undefined || since > this.silentUntil + MOMENT) {
      this.silentSince = Math.max(since, this.answeredAt);
    }
    this.silentUntil = now;
    const silence = now - this.silentSince;
    if (this.outage === undefined && silence < limit) return;
    this.failed(new Error(`it has answered nothing for ${(silence / 1_000).toFixed(1)} s`));
  }

  /** Notes that the database has answered something, be it an error. */
  answered(): void {
    this.answeredAt = this.now();
    this.silentSince = undefined;
  }

  /** Notes work that succeeded. */
  succeeded(): void {
    this.answered();
    if (this.outage === undefined) return;
    const { since, last, failures } = this.outage;
    if (this.now() - last < QUIET) return;
    this.outage = undefined;
    const seconds = ((last - since) / 1_000).toFixed(1);
    this.logger.warn(`The database serves again; ${failures} failures within ${seconds} s`);
  }
}

import type { SharedUsage, UsageReport } from './request-counts.repository.js';

const MINUTE_MS = 60_000;

/** Counts the requests of a client, or of an account, for a minute from the first one. */
export class UsageWindow {
  /** Requests of all processes, as the last exchange has told them. */
  private shared = 0;
  /** Requests of this process that the others do not know. */
  private own = 0;
  /** Those of them that are in the last report. */
  private reported = 0;
  /** A whole number: the difference of two fractions may exceed a minute by its last digit. */
  private endsAt: number;

  /**
   * @param key whose requests are counted; the subject is the client, or the account for all of its clients
   * @param limit most requests
   * @param now milliseconds of a clock that never runs backwards, as in each method
   */
  constructor(
    readonly key: Pick<UsageReport, 'accountId' | 'subjectId'>,
    readonly limit: number,
    now: number,
  ) {
    this.endsAt = Math.floor(now) + MINUTE_MS;
  }

  /** Requests that are left. */
  get remaining(): number {
    return Math.max(0, this.limit - this.shared - this.own);
  }

  hasEnded(now: number): boolean {
    return now >= this.endsAt;
  }

  /** Whole seconds until the window has ended, at least 1. */
  secondsLeft(now: number): number {
    return Math.max(1, Math.ceil((this.endsAt - now) / 1_000));
  }

  /** Counts one request. */
  take(): void {
    this.own += 1;
  }

  /** Whether it has counted what the others do not know. */
  get hasMoved(): boolean {
    return this.own > 0;
  }

  /** What the others do not know. */
  report(now: number): UsageReport {
    this.reported = this.own;
    return { ...this.key, requests: this.own, left: Math.max(1, Math.round(this.endsAt - now)) };
  }

  /** Notes what the last report was answered: what all have counted, and when their window ends. */
  learn({ requests, left }: SharedUsage, now: number): void {
    this.own -= this.reported;
    this.shared = requests;
    this.endsAt = Math.floor(now) + left;
  }
}

import type { AccountContext } from '../accounts/index.js';

/** Milliseconds of a window. */
export const WINDOW = 60_000;

/** Whose requests a window counts: the id of a client, or that of an account for all of its clients. */
export interface UsageKey extends AccountContext {
  readonly subjectId: string;
}

/** What a process tells the others of a window. */
export interface UsageReport extends UsageKey {
  /** Requests since the report before. */
  readonly requests: number;
  /** Milliseconds until the window ends. */
  readonly left: number;
}

/** What all processes have counted together. */
export type SharedUsage = Pick<UsageReport, 'subjectId' | 'requests' | 'left'>;

/** Counts the requests of a client, or of an account, for a minute from the first one. */
export class UsageWindow {
  /** Requests that were reported, by this process and by others. */
  private shared = 0;
  /** Requests of this process that are not reported. */
  private own = 0;
  /** A whole number: the difference of two fractions may exceed a minute by its last digit. */
  private endsAt: number;

  /**
   * @param limit most requests
   * @param now milliseconds of a clock that never runs backwards, as in each method
   */
  constructor(
    readonly key: UsageKey,
    readonly limit: number,
    now: number,
  ) {
    this.endsAt = Math.floor(now) + WINDOW;
  }

  /** Requests that are left. */
  get remaining(): number {
    return Math.max(0, this.limit - this.shared - this.own);
  }

  get unreported(): number {
    return this.own;
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

  report(now: number): UsageReport {
    return { ...this.key, requests: this.own, left: Math.max(1, Math.round(this.endsAt - now)) };
  }

  /** Notes what all processes have counted, and when their window ends. @param sent the report they got */
  learn(sent: UsageReport, { requests, left }: SharedUsage, now: number): void {
    this.own -= sent.requests;
    this.shared = requests;
    this.endsAt = Math.floor(now) + left;
  }
}

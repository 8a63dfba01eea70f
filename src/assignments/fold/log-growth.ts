import { Injectable } from '@nestjs/common';

/** Entries after which it is worth to look whether the log can be folded. */
const MANY = 500;

/** Milliseconds after which the last entries of a log that has stopped growing can be folded. */
const SETTLED = 20_000;

interface Growth {
  entries: number;
  /** When to look, whatever the number of entries is. */
  lookAt: number;
}

/** Counts the entries that this process adds to the logs of accounts. */
@Injectable()
export class LogGrowth {
  private readonly accounts = new Map<string, Growth>();

  /** Notes that entries were added. */
  note(accountId: string, entries: number): void {
    const growth = this.accounts.get(accountId);
    if (growth === undefined) this.accounts.set(accountId, { entries, lookAt: Infinity });
    else growth.entries += entries;
  }

  /** Returns the accounts whose logs may be worth folding. @param now by `performance.now()` */
  grown(now: number): string[] {
    return [...this.accounts].flatMap(([accountId, { entries, lookAt }]) =>
      entries >= MANY || now >= lookAt ? [accountId] : [],
    );
  }

  /** Notes that a log was looked at. @param now by `performance.now()` */
  looked(accountId: string, now: number): void {
    const growth = this.accounts.get(accountId);
    if (growth === undefined || growth.entries === 0) this.accounts.delete(accountId);
    else this.accounts.set(accountId, { entries: 0, lookAt: now + SETTLED });
  }
}

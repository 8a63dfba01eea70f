import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccountContext } from '../../accounts/index.js';
import { Database, firstIdAt, LEAST_ID } from '../../database/index.js';
import { LogFoldsRepository } from '../fold/log-folds.repository.js';
import type { EntryRange } from '../fold/take-out.js';
import { readEarlierClock } from '../months/log-clock.js';
import { LogDeletionsRepository, type Deleted } from './log-deletions.repository.js';

const DAY = 86_400_000;

/** Most entries that one transaction deletes. The log of the account is not folded meanwhile. */
const MOST_AT_ONCE = 20_000;

/**
 * Deletes the old entries of one account, where its months cannot be dropped because other accounts have
 * entries in them. The counts of the log stay exact meanwhile.
 */
@Injectable()
export class LogDeleter {
  constructor(
    private readonly database: Database,
    private readonly deletions: LogDeletionsRepository,
    private readonly folds: LogFoldsRepository,
  ) {}

  /** Returns the number of entries that are that old. */
  async count(account: AccountContext, days: number): Promise<number> {
    const range = { after: LEAST_ID, before: await this.firstKept(days) };
    return this.database.transaction((tx) => this.deletions.count(tx, account, range), {
      readOnly: true,
      long: true,
    });
  }

  /**
   * Deletes entries, their traces and what is noted of their returned turns, the oldest first. Where it is
   * cut short, what is deleted by then stays so, and the next call deletes the rest.
   * @param of.days the least age of what is deleted, `LEAST_RETENTION` or more
   * @param of.atOnce most entries that one transaction deletes
   * @returns how many entries were deleted
   */
  async delete(
    account: AccountContext,
    { days, atOnce = MOST_AT_ONCE }: { readonly days: number; readonly atOnce?: number },
  ): Promise<number> {
    const before = await this.firstKept(days);
    let deleted = 0;
    let after: string | undefined = LEAST_ID;
    while (after !== undefined) {
      const started = performance.now();
      const gone: Deleted = await this.deleteSlice(account, { after, before }, atOnce);
      deleted += gone.count;
      after = gone.last;
      // Others have as much time as this.
      await delay(performance.now() - started);
    }
    return deleted;
  }

  private deleteSlice(account: AccountContext, range: EntryRange, limit: number): Promise<Deleted> {
    return this.database.transaction(
      async (tx) => {
        await this.folds.lock(tx, account);
        const before = await this.deletions.findEnd(tx, account, { ...range, limit });
        return this.deletions.delete(tx, account, { after: range.after, before });
      },
      { long: true },
    );
  }

  /** Returns the least id that is kept. */
  private async firstKept(days: number): Promise<string> {
    const now = await readEarlierClock(this.database);
    return firstIdAt(new Date(now.getTime() - days * DAY));
  }
}

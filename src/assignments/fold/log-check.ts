import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccountCheck, AccountContext, CheckResult } from '../../accounts/index.js';
import { Database, LEAST_ID, SettledIds } from '../../database/index.js';
import { ExpectedBlocks, type BlockStart, type FoldRow, type SeriesRow } from './expected-blocks.js';
import { DISTANCE, FOLD_SIZES } from './fold.statements.js';
import { LogChecksRepository } from './log-checks.repository.js';
import { LogFoldsRepository } from './log-folds.repository.js';

/** Entries that one statement reads. */
const PAGE = 5_000;

/** Milliseconds between two looks at the transactions, and how many looks there are at most. */
const PAUSE = 200;
const MOST_LOOKS = 300;

/** What is kept of a log. */
interface Kept {
  readonly fold: FoldRow;
  readonly series: readonly SeriesRow[];
}

/**
 * Compares the blocks of the log with its entries, up to the last entry that is in blocks when it begins. Of
 * the blocks that are there then, others change only the last of each series, so they may fold meanwhile.
 */
@Injectable()
export class LogCheck implements AccountCheck {
  readonly subject = 'assignment log';

  constructor(
    private readonly database: Database,
    private readonly checks: LogChecksRepository,
    private readonly folds: LogFoldsRepository,
  ) {}

  async compare(account: AccountContext): Promise<CheckResult> {
    for (;;) {
      const kept = await this.readKept(account);
      const result = await this.compareWith(account, kept);
      // Where entries were dropped meanwhile, it has not seen all of them.
      if (isContinued(kept.series, (await this.readKept(account)).series)) return result;
    }
  }

  /** Takes all entries out of the blocks and folds them anew. Meanwhile they are counted one by one. */
  async repair(account: AccountContext): Promise<void> {
    await this.database.transaction((tx) => this.folds.forget(tx, account), { long: true });
    const settled = await this.settled();
    if (settled === undefined) return;
    const fold = (): Promise<boolean> =>
      this.database.transaction(
        async (tx) => {
          await this.folds.lock(tx, account);
          return this.folds.fold(tx, account, { settled });
        },
        { long: true },
      );
    while (await fold());
  }

  /** Waits for the transactions of this moment. Where one does not end, the service folds the log later. */
  private async settled(): Promise<Date | undefined> {
    const settledIds = new SettledIds(DISTANCE);
    for (let look = 0; look < MOST_LOOKS; look++) {
      const settled = settledIds.add(await this.folds.observe(this.database));
      if (settled !== undefined) return settled;
      await delay(PAUSE);
    }
    return undefined;
  }

  private readKept(account: AccountContext): Promise<Kept> {
    return this.database.transaction(
      async (tx) => ({
        fold: await this.checks.readFold(tx, account),
        series: await this.checks.readSeries(tx, account),
      }),
      { isolation: 'REPEATABLE READ', readOnly: true, long: true },
    );
  }

  private async compareWith(account: AccountContext, { fold, series }: Kept): Promise<CheckResult> {
    const expected = new ExpectedBlocks(FOLD_SIZES, series);
    let [compared, wrong, after] = [0, 0, LEAST_ID];
    for (;;) {
      const range = { after, last: fold.last_id, limit: PAGE };
      const entries = await this.checks.readEntries(this.database, account, range);
      const starts: BlockStart[] = [];
      for (const entry of entries) starts.push(...expected.add(entry));
      wrong += await this.checks.countMissing(this.database, account, starts);
      compared += entries.length;
      const last = entries.at(-1);
      if (last === undefined || entries.length < PAGE) break;
      after = last.id;
    }
    return { compared, wrong: wrong + expected.differences(fold) };
  }
}

/** Whether each series has only grown: of none were entries dropped, and none has begun anew. */
function isContinued(before: readonly SeriesRow[], after: readonly SeriesRow[]): boolean {
  const key = ({ router_id: router, user_email: user }: SeriesRow): string => `${router} ${user}`;
  const found = new Map(after.map((series) => [key(series), series]));
  return before.every((series) => {
    const now = found.get(key(series));
    return now !== undefined && now.dropped === series.dropped && now.end >= series.end;
  });
}

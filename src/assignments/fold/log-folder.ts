import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { AccountsRepository } from '../../accounts/index.js';
import { Database, isUnavailable, SettledIds } from '../../database/index.js';
import { DISTANCE } from './fold.statements.js';
import { LogFoldsRepository, type FoldedUntil } from './log-folds.repository.js';
import { LogGrowth } from './log-growth.js';
import { monthStart } from '../months/month.js';

const SECOND = 1_000;

/** Milliseconds without a turn after a failure, such as that of a database which cannot be written. */
const PAUSE = 15_000;

/** Turns, of a second at least, from one look at all accounts to the next: an hour or more. */
const TURNS = 3_600;

/** Most batches of one account in a row, so that the others get their turn. */
const MOST_IN_A_ROW = 50;

/** Most accounts that one statement looks at. */
const MOST_AT_ONCE = 500;

/**
 * Folds the logs that have grown, once a second, and looks at all of them at the start and once an hour.
 * Several processes may do so at once. It pauses after each batch for as long as the batch took.
 */
@Injectable()
export class LogFolder implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(LogFolder.name);
  private readonly settled = new SettledIds(DISTANCE);
  private timer: NodeJS.Timeout | undefined;
  /** Accounts to look at, whether this process has added entries or not. */
  private readonly waiting = new Set<string>();
  private running: Promise<void> | undefined;
  private turns = 0;
  /** By the clock of `performance`. */
  private notBefore = 0;
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly growth: LogGrowth,
    private readonly folds: LogFoldsRepository,
  ) {}

  onApplicationBootstrap(): void {
    const begin = (): void => {
      if (performance.now() < this.notBefore) return;
      this.running ??= this.turn()
        .catch((error: unknown) => this.report(error))
        .finally(() => (this.running = undefined));
    };
    this.timer = setInterval(begin, SECOND);
    this.timer.unref();
    begin();
  }

  /** Ends after the batch that is under way. */
  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Lets the next runs look at every account. */
  async lookAtAll(): Promise<void> {
    for (const { id } of await this.database.read((db) => this.accounts.list(db))) this.waiting.add(id);
  }

  /** Folds the logs that have grown, as far as they can be folded now. */
  async foldGrown(): Promise<void> {
    const accountIds = [...new Set([...this.waiting, ...this.growth.grown(performance.now())])];
    if (accountIds.length === 0) return;
    const settled = this.settled.add(await this.folds.observe(this.database));
    if (settled === undefined) return;
    // Pages count the tail in the last two months.
    const until = { settled, overdue: monthStart(settled, 0) };
    for (let n = 0; n < accountIds.length && !this.stopped; n += MOST_AT_ONCE) {
      const some = accountIds.slice(n, n + MOST_AT_ONCE);
      const due = await this.folds.findDue(this.database, some, until);
      for (const accountId of some) {
        this.growth.looked(accountId, performance.now());
        this.waiting.delete(accountId);
      }
      for (const accountId of due) await this.foldAccount(accountId, until);
    }
  }

  private async turn(): Promise<void> {
    if (this.turns % TURNS === 0) await this.lookAtAll();
    this.turns += 1;
    await this.foldGrown();
  }

  private async foldAccount(accountId: string, until: FoldedUntil): Promise<void> {
    // Until it is folded, also after an error.
    this.waiting.add(accountId);
    for (let batch = 0; batch < MOST_IN_A_ROW && !this.stopped; batch++) {
      const started = performance.now();
      const folded = await this.database.transaction((tx) => this.folds.fold(tx, { accountId }, until));
      if (!folded) return void this.waiting.delete(accountId);
      await delay(performance.now() - started);
    }
  }

  private report(error: unknown): void {
    this.notBefore = performance.now() + PAUSE;
    // The database says itself that it is away.
    if (isUnavailable(error)) return;
    this.logger.error(
      `The log could not be folded: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Database, firstIdAt, isUnavailable, type Transaction } from '../../database/index.js';
import type { Settings } from '../../settings/settings.js';
import { SETTINGS } from '../../settings/settings.token.js';
import { LogMonthsRepository, type IdRange } from './log-months.repository.js';
import { monthFrom, monthStart, timeOf, type Month } from './month.js';

const DAY = 86_400_000;
const HOUR = 3_600_000;

/** Whole months behind the current one that have a partition. */
const AHEAD = 3;

/** Most partitions that one transaction makes. */
const MOST_AT_ONCE = 120;

/**
 * Makes the partitions of the log for the coming months, and drops those that are older than the retention,
 * at the start and once an hour. Several processes may do so at once. An entry that has no month of its own
 * yet goes to the last partition, which has no end.
 */
@Injectable()
export class LogMonths implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(LogMonths.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly months: LogMonthsRepository,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'ASSIGNMENT_RETENTION_DAYS'>,
  ) {}

  onApplicationBootstrap(): void {
    const begin = (): void => {
      this.running ??= this.turn(new Date())
        .catch((error: unknown) => this.report(error))
        .finally(() => (this.running = undefined));
    };
    this.timer = setInterval(begin, HOUR);
    this.timer.unref();
    begin();
  }

  /** Ends after the transaction that is under way. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /**
   * Makes the partitions of the months from that of the last partition to the third after `now`. Where the
   * last partition has entries of these months, it becomes the partition of all of them, and of the months up
   * to two after its last entry.
   * @returns the names of the partitions that were made
   */
  async makeMonths(now: Date): Promise<string[]> {
    const until = monthStart(now, AHEAD + 1);
    const made = await this.database.transaction(async (tx) => {
      const missing = (await this.months.tryLock(tx)) ? await this.missing(tx, until) : [];
      const { least } = missing.length > 0 ? await this.months.readLater(tx) : { least: null };
      const free = missing.filter(({ to }) => least === null || least >= to);
      await this.months.insertMonths(tx, free);
      return { free, isBlocked: free.length < missing.length };
    });
    const names = made.free.map(({ name }) => name);
    if (!made.isBlocked || names.length === MOST_AT_ONCE) return names;
    return [...names, ...(await this.endLater(now))];
  }

  /** Drops the partitions all of whose entries are older than the retention. @returns their names */
  async dropMonths(now: Date): Promise<string[]> {
    const { ASSIGNMENT_RETENTION_DAYS: days } = this.settings;
    if (days === undefined) return [];
    const before = firstIdAt(new Date(now.getTime() - days * DAY));
    const dropped: string[] = [];
    for (;;) {
      const name = await this.database.transaction((tx) => this.dropFirst(tx, before), { long: true });
      if (name === undefined) return dropped;
      dropped.push(name);
    }
  }

  private async turn(now: Date): Promise<void> {
    const made = await this.makeMonths(now);
    if (made.length > 0) this.logger.log(`Partitions of the assignment log were made: ${made.join(', ')}`);
    const dropped = await this.dropMonths(now);
    if (dropped.length > 0)
      this.logger.log(`Partitions of the assignment log were dropped: ${dropped.join(', ')}`);
    await this.warn(now);
  }

  /** The months between the beginning of the last partition and an id. */
  private async missing(tx: Transaction, until: string): Promise<Month[]> {
    const later = (await this.months.list(tx)).at(-1);
    if (later?.from == null || later.to !== null) return [];
    const missing: Month[] = [];
    for (
      let from = later.from;
      from < until && missing.length < MOST_AT_ONCE;
      from = missing.at(-1)?.to ?? until
    ) {
      missing.push(monthFrom(from));
    }
    return missing;
  }

  private async endLater(now: Date): Promise<string[]> {
    let name: string | undefined;
    const run = (work: (tx: Transaction) => Promise<void>): Promise<void> =>
      this.database.transaction(
        async (tx) => {
          if (!(await this.months.tryLock(tx)))
            throw new Error('the partitions are being changed by another process');
          await work(tx);
        },
        { long: true },
      );
    const later = (await this.months.list(this.database)).at(-1);
    const held: IdRange = await this.months.readLater(this.database);
    if (later?.from == null || held.greatest === null) return [];
    const end = monthStart(new Date(Math.max(now.getTime(), timeOf(held.greatest))), 2);
    name = monthFrom(later.from).name;
    await this.months.endLater(run, { name, from: later.from, to: end });
    return [name];
  }

  private async dropFirst(tx: Transaction, before: string): Promise<string | undefined> {
    if (!(await this.months.lock(tx))) return undefined;
    const [first] = await this.months.list(tx);
    if (first?.to == null || first.to > before) return undefined;
    await this.months.dropFirst(tx, { name: first.name, to: first.to });
    return first.name;
  }

  /** Says so when the next month has no partition: this process has not had the lock for months. */
  private async warn(now: Date): Promise<void> {
    const later = (await this.months.list(this.database)).at(-1);
    if (later?.from == null || later.from >= monthStart(now, 2)) return;
    this.logger.warn(
      `The assignment log has no partition for the month after ${later.from}: its entries go to ${later.name}`,
    );
  }

  private report(error: unknown): void {
    // The database says itself that it is away.
    if (isUnavailable(error)) return;
    this.logger.error(
      `The partitions of the assignment log could not be changed: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

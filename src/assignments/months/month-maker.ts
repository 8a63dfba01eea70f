import { Injectable } from '@nestjs/common';
import { Database, timeOfId, type Transaction } from '../../database/index.js';
import { LogMonthsRepository } from './log-months.repository.js';
import { monthFrom, monthStart, type Month } from './month.js';
import { LOG_TABLES, type LogTable } from './partitions.statements.js';

/** Whole months behind the current one that have a partition. */
const AHEAD = 3;

/** Most partitions that one transaction makes. */
const MOST_AT_ONCE = 120;

/**
 * Makes the partitions of the log for the coming months. Several processes may do so at once. An entry that
 * has no month of its own yet goes to the last partition, which has no end.
 */
@Injectable()
export class MonthMaker {
  constructor(
    private readonly database: Database,
    private readonly months: LogMonthsRepository,
  ) {}

  /**
   * Makes the partitions of the months from that of the last partition to the third after `now`. Where the
   * last partition has entries of these months, it becomes their partition, up to two months after its last
   * entry.
   * @returns the names of the months that were made, by table
   */
  async make(now: Date): Promise<Record<LogTable, string[]>> {
    const made = { assignments: [] as string[], assignment_traces: [] as string[] };
    for (const table of LOG_TABLES) made[table] = await this.makeOf(table, now);
    return made;
  }

  /** Returns the id from which on the log has no partition but the last one. */
  async end(): Promise<string | null> {
    const starts = [];
    for (const table of LOG_TABLES)
      starts.push((await this.months.list(this.database, table)).at(-1)?.from ?? null);
    return starts.reduce((least, start) =>
      least === null || (start !== null && start < least) ? start : least,
    );
  }

  private async makeOf(table: LogTable, now: Date): Promise<string[]> {
    const { free, isBlocked } = await this.database.transaction(async (tx) => {
      const missing = (await this.months.tryLock(tx)) ? await this.missing(tx, table, now) : [];
      const { least } = missing.length > 0 ? await this.months.readLater(tx, table) : { least: null };
      const free = missing.filter(({ to }) => least === null || least >= to);
      await this.months.insertMonths(tx, table, free);
      return { free, isBlocked: free.length < missing.length };
    });
    const names = free.map(({ name }) => name);
    return isBlocked ? [...names, await this.endLater(table, now)] : names;
  }

  /** The months between the beginning of the last partition and the third month after an instant. */
  private async missing(tx: Transaction, table: LogTable, now: Date): Promise<Month[]> {
    const until = monthStart(now, AHEAD + 1);
    const missing: Month[] = [];
    for (
      let from = (await this.months.list(tx, table)).at(-1)?.from ?? until;
      from < until && missing.length < MOST_AT_ONCE;
      from = missing.at(-1)?.to ?? until
    ) {
      missing.push(monthFrom(from));
    }
    return missing;
  }

  /** Three transactions: the second reads the last partition, and keeps nobody from it. */
  private async endLater(table: LogTable, now: Date): Promise<string> {
    const from = (await this.months.list(this.database, table)).at(-1)?.from;
    const { greatest } = await this.months.readLater(this.database, table);
    if (from == null || greatest === null) throw new Error(`${table}_later has changed meanwhile`);
    const to = monthStart(new Date(Math.max(now.getTime(), timeOfId(greatest))), 2);
    const month = { ...monthFrom(from), to };
    try {
      await this.locked((tx) => this.months.addRule(tx, table, month));
      await this.locked((tx) => this.months.validateRule(tx, table));
      await this.locked((tx) => this.months.endLater(tx, table, month));
    } catch (error) {
      await this.locked((tx) => this.months.dropRule(tx, table));
      throw error;
    }
    return month.name;
  }

  private locked(work: (tx: Transaction) => Promise<void>): Promise<void> {
    return this.database.transaction(
      async (tx) => {
        if (!(await this.months.tryLock(tx))) throw new Error('another process changes the partitions');
        await work(tx);
      },
      { long: true },
    );
  }
}

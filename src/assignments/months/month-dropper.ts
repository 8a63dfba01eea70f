import { Inject, Injectable } from '@nestjs/common';
import { Database, firstIdAt, type Transaction } from '../../database/index.js';
import { SETTINGS, type Settings } from '../../settings/settings.js';
import { LogMonthsRepository } from './log-months.repository.js';
import { LOG_TABLES, type LogTable } from './partitions.statements.js';

const DAY = 86_400_000;

/** Drops the months of the log and of its traces that are older than their retention. */
@Injectable()
export class MonthDropper {
  constructor(
    private readonly database: Database,
    private readonly months: LogMonthsRepository,
    @Inject(SETTINGS)
    private readonly settings: Pick<Settings, 'ASSIGNMENT_RETENTION_DAYS' | 'TRACE_RETENTION_DAYS'>,
  ) {}

  /**
   * Drops the partitions all of whose entries are older than the retention at that instant, each in a
   * transaction of its own. Does nothing while a dump, a migration or another process has their lock.
   * @returns the names of those that were dropped; of an empty one before them only where it is alone
   */
  async drop(now: Date): Promise<string[]> {
    const dropped: string[] = [];
    for (const table of LOG_TABLES) {
      const days = this.daysOf(table);
      if (days === undefined) continue;
      const before = firstIdAt(new Date(now.getTime() - days * DAY));
      let name: string | undefined;
      do {
        name = await this.database.transaction((tx) => this.dropFirst(tx, table, before), { long: true });
        if (name !== undefined) dropped.push(name);
      } while (name !== undefined);
    }
    return dropped;
  }

  /** Traces go with their entries at the latest. */
  private daysOf(table: LogTable): number | undefined {
    const { ASSIGNMENT_RETENTION_DAYS: entries, TRACE_RETENTION_DAYS: traces } = this.settings;
    if (table === 'assignments' || traces === undefined) return entries;
    return entries === undefined ? traces : Math.min(entries, traces);
  }

  /**
   * Drops the first month. Before it lies an empty partition, which takes the entries of clocks that are set
   * back.
   */
  private async dropFirst(tx: Transaction, table: LogTable, before: string): Promise<string | undefined> {
    if ((await this.oldest(tx, table, before)) === undefined || !(await this.months.lock(tx)))
      return undefined;
    // Another process may have dropped it meanwhile.
    const oldest = await this.oldest(tx, table, before);
    if (oldest === undefined) return undefined;
    await this.months.dropFirst(tx, table, oldest);
    return oldest.names.at(-1);
  }

  private async oldest(
    tx: Transaction,
    table: LogTable,
    before: string,
  ): Promise<{ names: string[]; to: string } | undefined> {
    const [first, second] = await this.months.list(tx, table);
    if (first?.to == null || first.to > before) return undefined;
    if (second?.to != null && second.to <= before) return { names: [first.name, second.name], to: second.to };
    const isFilled = await this.months.hasEntries(tx, table, first.name);
    return isFilled ? { names: [first.name], to: first.to } : undefined;
  }
}

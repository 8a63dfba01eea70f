import { Injectable } from '@nestjs/common';
import { LEAST_ID, type Queryable, type Statement, type Transaction } from '../../database/index.js';
import { LIST_FOLDED } from '../fold/bases.statements.js';
import { takeOutOfBlocks } from '../fold/take-out.js';
import { DELETE_RETURNED } from '../returned/returned.statements.js';
import type { Month } from './month.js';
import {
  LOCK_MONTHS,
  partitionsOf,
  TRY_LOCK_MONTHS,
  WAIT_BRIEFLY,
  type LogTable,
} from './partitions.statements.js';

/** A partition of the log. */
export interface Partition {
  readonly name: string;
  /** The first id that it takes; null for the first partition. */
  readonly from: string | null;
  /** The first id behind it; null for the last partition. */
  readonly to: string | null;
}

/** The least and the greatest id of entries; null where there are none. */
export interface IdRange {
  readonly least: string | null;
  readonly greatest: string | null;
}

/** The partitions of the log and of its traces. Whoever changes them holds their lock. */
@Injectable()
export class LogMonthsRepository {
  /** Takes the lock of the partitions. @returns false while a dump, a migration or another process has it */
  async tryLock(tx: Transaction): Promise<boolean> {
    const [row] = await tx.query<{ locked: boolean }>(TRY_LOCK_MONTHS, []);
    return row?.locked === true;
  }

  /** As `tryLock`, after the folds that are under way. No others begin until the transaction ends. */
  async lock(tx: Transaction): Promise<boolean> {
    const [row] = await tx.query<{ locked: boolean }>(LOCK_MONTHS, []);
    return row?.locked === true;
  }

  /** Returns the partitions in order. */
  list(db: Queryable, table: LogTable): Promise<Partition[]> {
    return db.query<Partition>(partitionsOf(table).list, []);
  }

  /** Returns what the last partition holds. */
  async readLater(db: Queryable, table: LogTable): Promise<IdRange> {
    const [row] = await db.query<IdRange>(partitionsOf(table).readLater, []);
    return row ?? { least: null, greatest: null };
  }

  /** Makes partitions in the place of the beginning of the last one, which must have no entries there. */
  async insertMonths(tx: Transaction, table: LogTable, months: readonly Month[]): Promise<void> {
    const last = months.at(-1);
    if (last === undefined) return;
    const { detachLater, create, attachLater } = partitionsOf(table);
    await this.change(tx, table, [detachLater, ...months.map(create), attachLater(last)]);
  }

  /** Before `endLater`: refuses entries in the last partition that are not of the month. */
  async addRule(tx: Transaction, table: LogTable, month: Month): Promise<void> {
    const { dropRule, addRule } = partitionsOf(table);
    await this.change(tx, table, [dropRule, addRule(month)]);
  }

  /**
   * Before `endLater`: reads the last partition, beside others that use it.
   * @throws the error of PostgreSQL (23514) where an entry is not of the month
   */
  async validateRule(tx: Transaction, table: LogTable): Promise<void> {
    await tx.query(partitionsOf(table).validateRule, []);
  }

  async dropRule(tx: Transaction, table: LogTable): Promise<void> {
    await this.change(tx, table, [partitionsOf(table).dropRule]);
  }

  /** Gives the last partition the name and the end of a month, and the table a new last partition. */
  async endLater(tx: Transaction, table: LogTable, month: Month): Promise<void> {
    await this.change(tx, table, partitionsOf(table).endLater(month));
  }

  async hasEntries(db: Queryable, table: LogTable, partition: string): Promise<boolean> {
    const [row] = await db.query<{ filled: boolean }>(partitionsOf(table).hasEntries(partition), []);
    return row?.filled === true;
  }

  /**
   * Drops the first partitions, and makes an empty one in their place. The transaction holds `lock`. What
   * blocks count of them is taken out of them, and what is noted of their returned turns is deleted.
   * @param first their names, and the first id behind them
   */
  async dropFirst(
    tx: Transaction,
    table: LogTable,
    { names, to }: { readonly names: readonly string[]; readonly to: string },
  ): Promise<void> {
    const folded = table === 'assignments' ? await tx.query<{ id: string }>(LIST_FOLDED, []) : [];
    const range = { after: LEAST_ID, before: to };
    for (const { id } of folded) await takeOutOfBlocks(tx, { accountId: id }, range);
    if (table === 'assignments') await tx.query(DELETE_RETURNED, [to]);
    const { drop, createFirst } = partitionsOf(table);
    await this.change(tx, table, [...names.map(drop), createFirst(to)]);
  }

  /** Runs statements that need the table for themselves, for a moment. */
  private async change(tx: Transaction, table: LogTable, statements: readonly Statement[]): Promise<void> {
    await tx.query(WAIT_BRIEFLY, []);
    await tx.query(partitionsOf(table).lockWhole, []);
    for (const statement of statements) await tx.query(statement, []);
  }
}

import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Queryable, Transaction } from '../../database/index.js';
import {
  ADD_DROPPED,
  DELETE_EMPTY_BASES,
  DELETE_EMPTY_BLOCKS,
  LIST_FOLDED,
} from '../fold/bases.statements.js';
import type { Month } from './month.js';
import {
  attachLater,
  createPartition,
  DETACH_LATER,
  dropPartition,
  endLater,
  LIST_PARTITIONS,
  LOCK_MONTHS,
  LOCK_WHOLE_LOG,
  READ_LATER,
  TRY_LOCK_MONTHS,
  WAIT_BRIEFLY,
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

/** Entries whose numbers one statement adds up. */
const SLICE = 100_000;

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** The partitions of the log. Whoever changes them holds the lock of `tryLock` or `lock`. */
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
  list(db: Queryable): Promise<Partition[]> {
    return db.query<Partition>(LIST_PARTITIONS, []);
  }

  /** Returns what the last partition holds. */
  async readLater(db: Queryable): Promise<IdRange> {
    const [row] = await db.query<IdRange>(READ_LATER, []);
    return row ?? { least: null, greatest: null };
  }

  /** Makes partitions in the place of the beginning of the last one, which must have no entries there. */
  async insertMonths(tx: Transaction, months: readonly Month[]): Promise<void> {
    const last = months.at(-1);
    if (last === undefined) return;
    await this.lockWhole(tx);
    await tx.query(DETACH_LATER, []);
    for (const month of months) await tx.query(createPartition(month), []);
    await tx.query(attachLater(last.to), []);
  }

  /**
   * Gives the last partition an end, and the log a new one behind it. The entries are read beside others that
   * use them, in the second of three transactions.
   * @param month the name that it gets, its beginning and its end; it must have no entries outside of it
   */
  async endLater(
    run: (work: (tx: Transaction) => Promise<void>) => Promise<void>,
    month: Month,
  ): Promise<void> {
    try {
      await run(async (tx) => {
        await tx.query(WAIT_BRIEFLY, []);
        await tx.query(endLater.noRule, []);
        await tx.query(endLater.rule(month), []);
      });
      await run(async (tx) => void (await tx.query(endLater.validate, [])));
      await run(async (tx) => {
        await this.lockWhole(tx);
        for (const statement of endLater.closed(month)) await tx.query(statement, []);
      });
    } catch (error) {
      await run(async (tx) => void (await tx.query(endLater.noRule, [])));
      throw error;
    }
  }

  /**
   * Drops the first partition, and takes its entries out of the blocks. The transaction holds `lock`.
   * @param first its name, and the first id behind it
   */
  async dropFirst(tx: Transaction, first: { readonly name: string; readonly to: string }): Promise<void> {
    for (const { id } of await tx.query<{ id: string }>(LIST_FOLDED, [])) {
      await this.takeOut(tx, { accountId: id }, first.to);
    }
    await this.lockWhole(tx);
    await tx.query(dropPartition(first.name), []);
  }

  /** Takes the entries before an id out of the blocks. The transaction holds `lock`, and deletes them. */
  async takeOut(tx: Transaction, { accountId }: AccountContext, before: string): Promise<void> {
    let after: string | undefined = BEFORE_ALL;
    while (after !== undefined) {
      const rows: { id: string }[] = await tx.query<{ id: string }>(ADD_DROPPED, [
        accountId,
        after,
        before,
        SLICE,
      ]);
      after = rows[0]?.id;
    }
    await tx.query(DELETE_EMPTY_BLOCKS, [accountId]);
    await tx.query(DELETE_EMPTY_BASES, [accountId]);
  }

  private async lockWhole(tx: Transaction): Promise<void> {
    await tx.query(WAIT_BRIEFLY, []);
    await tx.query(LOCK_WHOLE_LOG, []);
  }
}

import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import {
  firstIdAt,
  observeTransactions,
  type Observation,
  type Queryable,
  type Transaction,
} from '../../database/index.js';
import {
  FIND_DUE,
  FOLD_SIZES,
  foldStatement,
  FORGET_BLOCKS,
  LOCK_LOG,
  TRY_LOCK_LOG,
  type FoldSizes,
} from './fold.statements.js';

/** Moves entries of the log from its tail to its blocks, from which they are counted. */
@Injectable()
export class LogFoldsRepository {
  /** Observes the transactions of the database. */
  observe(db: Queryable): Promise<Observation> {
    return observeTransactions(db);
  }

  /** Returns those of the accounts whose tails have a whole batch of settled entries. */
  async findDue(db: Queryable, accountIds: readonly string[], settled: Date): Promise<string[]> {
    const values = [accountIds, firstIdAt(settled), FOLD_SIZES.batch];
    const rows = await db.query<{ id: string }>(FIND_DUE, values);
    return rows.map(({ id }) => id);
  }

  /**
   * Adds one batch of entries to the blocks. Does nothing while another transaction does so.
   * @param settled as `SettledIds` tells it
   * @returns whether there was a whole batch
   */
  async fold(
    tx: Transaction,
    { accountId }: AccountContext,
    { settled, sizes = FOLD_SIZES }: { readonly settled: Date; readonly sizes?: FoldSizes },
  ): Promise<boolean> {
    const [lock] = await tx.query<{ locked: boolean }>(TRY_LOCK_LOG, [accountId]);
    if (lock?.locked !== true) return false;
    const rows = await tx.query(foldStatement(sizes), [accountId, firstIdAt(settled)]);
    return rows.length > 0;
  }

  /** Takes all entries of an account out of the blocks: they are the tail again, and are folded anew. */
  async forget(tx: Transaction, { accountId }: AccountContext): Promise<void> {
    await tx.query(LOCK_LOG, [accountId]);
    await tx.query(FORGET_BLOCKS, [accountId]);
  }
}

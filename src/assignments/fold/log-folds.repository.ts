import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import {
  firstIdAt,
  LEAST_ID,
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

/** Which entries are folded. */
export interface FoldedUntil {
  /** As `SettledIds` tells it: older ones cannot change any more. */
  readonly settled: Date;
  /** The id before which entries are folded though they are no whole batch; none where it is not given. */
  readonly overdue?: string;
}

/** Moves entries of the log from its tail to its blocks, from which they are counted. */
@Injectable()
export class LogFoldsRepository {
  /** Observes the transactions of the database. */
  observe(db: Queryable): Promise<Observation> {
    return observeTransactions(db);
  }

  /** Returns those of the accounts whose tails have a whole batch of settled entries, or an overdue one. */
  async findDue(
    db: Queryable,
    accountIds: readonly string[],
    { settled, overdue = LEAST_ID }: FoldedUntil,
  ): Promise<string[]> {
    const values = [accountIds, firstIdAt(settled), overdue, FOLD_SIZES.batch];
    const rows = await db.query<{ id: string }>(FIND_DUE, values);
    return rows.map(({ id }) => id);
  }

  /**
   * Keeps others from changing the blocks of an account until the transaction ends. Waits for those that
   * fold, repair or delete its log, or drop months.
   */
  async lock(tx: Transaction, { accountId }: AccountContext): Promise<void> {
    await tx.query(LOCK_LOG, [accountId]);
  }

  /**
   * Adds one batch of entries to the blocks. Does nothing while another transaction has the lock.
   * @returns whether there was one to add
   */
  async fold(
    tx: Transaction,
    { accountId }: AccountContext,
    { settled, overdue = LEAST_ID, sizes = FOLD_SIZES }: FoldedUntil & { readonly sizes?: FoldSizes },
  ): Promise<boolean> {
    const [lock] = await tx.query<{ locked: boolean }>(TRY_LOCK_LOG, [accountId]);
    if (lock?.locked !== true) return false;
    const rows = await tx.query(foldStatement(sizes), [accountId, firstIdAt(settled), overdue]);
    return rows.length > 0;
  }

  /** Takes all entries of an account out of the blocks: they are the tail again, and are folded anew. */
  async forget(tx: Transaction, account: AccountContext): Promise<void> {
    await this.lock(tx, account);
    await tx.query(FORGET_BLOCKS, [account.accountId]);
  }
}

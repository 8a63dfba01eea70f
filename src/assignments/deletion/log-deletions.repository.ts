import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Queryable, Transaction } from '../../database/index.js';
import { takeOutOfBlocks, type EntryRange } from '../fold/take-out.js';
import { COUNT_ENTRIES, DELETE_ENTRIES, FIND_END } from './deletions.statements.js';

/** How many entries were deleted, and the last of their ids; none where there were no entries. */
export interface Deleted {
  readonly count: number;
  readonly last?: string;
}

/** Deletes entries of one account's log. */
@Injectable()
export class LogDeletionsRepository {
  async count(db: Queryable, { accountId }: AccountContext, { after, before }: EntryRange): Promise<number> {
    const [row] = await db.query<{ count: number }>(COUNT_ENTRIES, [accountId, after, before]);
    return row?.count ?? 0;
  }

  /** Returns where a range ends that has at most `limit` entries. */
  async findEnd(
    tx: Transaction,
    { accountId }: AccountContext,
    { after, before, limit }: EntryRange & { readonly limit: number },
  ): Promise<string> {
    const [row] = await tx.query<{ id: string }>(FIND_END, [accountId, after, before, limit]);
    return row?.id ?? before;
  }

  /** Deletes the entries of a range, before which there are none. The transaction has the lock of the log. */
  async delete(tx: Transaction, account: AccountContext, range: EntryRange): Promise<Deleted> {
    await takeOutOfBlocks(tx, account, range);
    const values = [account.accountId, range.after, range.before];
    const [row] = await tx.query<{ count: number; last: string | null }>(DELETE_ENTRIES, values);
    return { count: row?.count ?? 0, ...(row?.last != null && { last: row.last }) };
  }
}

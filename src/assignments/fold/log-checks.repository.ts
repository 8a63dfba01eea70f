import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Queryable, Transaction } from '../../database/index.js';
import { COUNT_MISSING, READ_ENTRIES, READ_FOLD, READ_SERIES } from './check.statements.js';
import type { BlockStart, EntryRow, FoldRow, SeriesRow } from './expected-blocks.js';

/** Reads the blocks of the log, and the entries that they are made of. */
@Injectable()
export class LogChecksRepository {
  /** Reads how far the log is folded. */
  async readFold(tx: Transaction, { accountId }: AccountContext): Promise<FoldRow> {
    const [row] = await tx.query<FoldRow>(READ_FOLD, [accountId]);
    if (row === undefined) throw new Error('The fold of a log has no row');
    return row;
  }

  readSeries(tx: Transaction, { accountId }: AccountContext): Promise<SeriesRow[]> {
    return tx.query<SeriesRow>(READ_SERIES, [accountId]);
  }

  /** Returns entries behind an id up to another, in order. */
  readEntries(
    db: Queryable,
    { accountId }: AccountContext,
    { after, last, limit }: { readonly after: string; readonly last: string; readonly limit: number },
  ): Promise<EntryRow[]> {
    return db.query<EntryRow>(READ_ENTRIES, [accountId, after, last, limit]);
  }

  /** Counts those of the blocks that are not there. */
  async countMissing(
    db: Queryable,
    { accountId }: AccountContext,
    starts: readonly BlockStart[],
  ): Promise<number> {
    const [row] = await db.query<{ missing: number }>(COUNT_MISSING, [
      accountId,
      starts.map(({ routerId }) => routerId),
      starts.map(({ user }) => user),
      starts.map(({ before }) => before),
      starts.map(({ firstId }) => firstId),
    ]);
    return row?.missing ?? 0;
  }
}

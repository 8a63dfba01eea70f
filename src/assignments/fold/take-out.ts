import type { AccountContext } from '../../accounts/index.js';
import type { Transaction } from '../../database/index.js';
import { ADD_DROPPED, DELETE_EMPTY_BASES, DELETE_EMPTY_BLOCKS } from './bases.statements.js';

/** The entries between two ids. */
export interface EntryRange {
  /** An id before the first one. */
  readonly after: string;
  /** The first id behind the last one. */
  readonly before: string;
}

/** Entries whose numbers one statement adds up. */
const SLICE = 100_000;

/**
 * Takes entries of an account out of the blocks, which have none before them. The transaction holds the lock
 * of the log or of its months, and deletes the entries.
 */
export async function takeOutOfBlocks(
  tx: Transaction,
  { accountId }: AccountContext,
  { after: start, before }: EntryRange,
): Promise<void> {
  let after: string | undefined = start;
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

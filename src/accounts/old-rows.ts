import {
  firstIdAt,
  type Background,
  type Database,
  type Statement,
  type Transaction,
} from '../database/index.js';
import { ALL_ACCOUNTS } from './accounts.repository.js';

const DAY = 86_400_000;

/** The oldest rows of an account. */
export interface OldestRows {
  readonly accountId: string;
  /** The first instant that is kept, and the first id. */
  readonly before: Date;
  readonly firstKept: string;
  /** Most of them. */
  readonly most: number;
}

/** A table whose rows are deleted once they are older than its retention. */
interface Retention {
  /** Its key is the account, and an id that begins with a time. */
  readonly table: string;
  /** Undefined: its rows are kept. */
  readonly days: number | undefined;
  readonly now: Date;
  /** @returns how many it deleted */
  readonly deleteOldest: (tx: Transaction, rows: OldestRows) => Promise<number>;
}

/** $1 the first id that is kept. Finds the accounts that have older rows, each by a look into an index. */
const findOld = (table: string): Statement => ({
  name: `old_rows_find_${table}`,
  text: `SELECT account.id FROM (${ALL_ACCOUNTS}) account
    WHERE (SELECT old.id FROM ${table} old WHERE old.account_id = account.id ORDER BY old.id LIMIT 1) < $1::uuid`,
});

/**
 * Deletes the old rows of every account, in slices. Where an account fails, the others go on, and it comes
 * again with the next run.
 * @returns how many rows were deleted
 * @throws the first error, behind the last account
 */
export async function deleteOldRows(
  database: Database,
  background: Background,
  { table, days, now, deleteOldest }: Retention,
): Promise<number> {
  if (days === undefined) return 0;
  const before = new Date(now.getTime() - days * DAY);
  const firstKept = firstIdAt(before);
  const accounts = await database.query<{ id: string }>(findOld(table), [firstKept]);
  let deleted = 0;
  const failures: unknown[] = [];
  for (const { id: accountId } of accounts) {
    const deleteSome = (most: number): Promise<number> =>
      database.transaction((tx) => deleteOldest(tx, { accountId, before, firstKept, most }), { long: true });
    try {
      deleted += await background.inSlices(deleteSome);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return deleted;
}

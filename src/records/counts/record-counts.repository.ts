import { Injectable } from '@nestjs/common';
import type { CheckResult } from '../../accounts/index.js';
import { Database, LEAST_ID, type Statement, type Transaction } from '../../database/index.js';
import type { RecordType } from '../record-key.js';
import { counterOf, type NeededCounters } from './counter-needs.js';
import * as statements from './record-counts.statements.js';

/** Most changes that a statement folds, and most records that one counts: each in less than a second. */
const [MOST_CHANGES, PAGE] = [5_000, 20_000];

/** How many records a counter counts for an owner. */
interface Count {
  readonly counter: string;
  readonly owner: string;
  n: number;
}

type PageRow = (Count & { readonly last: null }) | { readonly counter: null; readonly last: string };

/** Keeps the counts of records and their counters. Requests read them within their own statements. */
@Injectable()
export class RecordCountsRepository {
  constructor(private readonly database: Database) {}

  /** Folds some of the changes that wait into the counts. @returns whether there may be more */
  async fold(): Promise<boolean> {
    const { FOLD, FIND_CHANGED } = statements;
    const rows = await this.database.sweep<{ folded: number }>(FOLD, [MOST_CHANGES], [FIND_CHANGED]);
    return rows.some(({ folded }) => folded === MOST_CHANGES);
  }

  /** Adds the counters that a configuration needs and drops others, unless the account has another by now. */
  async keep({ accountId, version, counted }: NeededCounters): Promise<void> {
    const needed = counted.map((each) => ({
      object_type: each.objectType,
      counter: counterOf(each),
      owner_field: each.ownerField,
      having_field: each.having?.field ?? null,
      having_values: each.having?.values ?? null,
    }));
    const own = needed.filter(({ counter }) => counter !== statements.OWNER);
    const values = [accountId, JSON.stringify(own)];
    await this.database.transaction(async (tx) => {
      const current = await tx.query(statements.LOCK_VERSION, [accountId, version]);
      if (current.length === 0) return;
      await tx.query(statements.DROP_COUNTERS, values);
      await tx.query(statements.ADD_COUNTERS, values);
    });
  }

  /** Returns types of any account with new counters. `seed` can count for them, or will be able to soon. */
  async findNew(): Promise<RecordType[]> {
    const types = await this.database.query<RecordType>(statements.FIND_NEW, []);
    for (const { accountId, objectType } of types)
      await this.database.query(statements.NOTE_NEW, [accountId, objectType]);
    return types;
  }

  /**
   * Counts the records of a type for its new counters, which are ready then. Nobody waits for this: it adds
   * what the counters lack in its snapshot, and whatever changes meanwhile writes changes of its own.
   * Counters that another process counts for stay as they are.
   * @param isStopped ends this without a trace
   */
  seed(type: RecordType, isStopped: () => boolean): Promise<void> {
    return this.inSnapshot(async (tx) => {
      const truth = await countAll(tx, { ...type, of: statements.LOCK_NEW }, isStopped);
      if (truth !== undefined) await complete(tx, truth);
    });
  }

  /** Compares the counts of a type with the records. */
  compare(type: RecordType): Promise<CheckResult> {
    return this.inSnapshot(async (tx) => {
      const truth = await countAll(tx, { ...type, of: statements.FIND_READY });
      const [row] = truth === undefined ? [] : await tx.query<CheckResult>(statements.COMPARE, truth);
      return row ?? { compared: 0, wrong: 0 };
    });
  }

  /** Writes what the counts of a type lack; what changes meanwhile writes its own. */
  async repair(type: RecordType): Promise<void> {
    await this.inSnapshot(async (tx) => {
      await tx.query(statements.LOCK, []);
      const truth = await countAll(tx, { ...type, of: statements.FIND_READY });
      if (truth !== undefined) await complete(tx, truth);
    });
  }

  private inSnapshot<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.transaction(work, { isolation: 'REPEATABLE READ', long: true });
  }
}

/** Writes what counters lack, which are ready then. @param truth the parameters of LACKING */
async function complete(tx: Transaction, truth: readonly unknown[]): Promise<void> {
  const [accountId, objectType, counters] = truth;
  const [found] = await tx.query<{ lacking: string | null }>(statements.FIND_LACKING, truth);
  if (found?.lacking != null) await tx.query(statements.ADD_LACKING, [accountId, objectType, found.lacking]);
  await tx.query(statements.MAKE_READY, [accountId, objectType, counters]);
}

/**
 * Counts all records of a type for the counters that a statement finds.
 * @returns the parameters of LACKING; undefined where there are no counters, or it was stopped
 */
async function countAll(
  tx: Transaction,
  { accountId, objectType, of }: RecordType & { readonly of: Statement },
  isStopped = (): boolean => false,
): Promise<unknown[] | undefined> {
  const found = await tx.query<{ counter: string }>(of, [accountId, objectType]);
  const counters = found.map(({ counter }) => counter);
  const counts = new Map<string, Count>();
  if (counters.length === 0) return undefined;
  for (let behind: string | undefined = LEAST_ID; behind !== undefined;) {
    if (isStopped()) return undefined;
    const values: unknown[] = [accountId, objectType, counters, behind, PAGE];
    const rows: PageRow[] = await tx.query<PageRow>(statements.COUNT_PAGE, values);
    behind = undefined;
    for (const row of rows) {
      if (row.counter === null) {
        behind = row.last;
        continue;
      }
      const { counter, owner } = row;
      const key = `${counter} ${owner}`;
      counts.set(key, { counter, owner, n: (counts.get(key)?.n ?? 0) + row.n });
    }
  }
  return [accountId, objectType, counters, JSON.stringify([...counts.values()])];
}

import { Injectable } from '@nestjs/common';
import type { CheckResult } from '../../accounts/index.js';
import { Database, observeTransactions, type Observation, type Transaction } from '../../database/index.js';
import type { ObjectType } from '../../fields/index.js';
import { countTruth, type TypeCounters } from './count-truth.js';
import { counterOf, type CountedRecords } from './counted-records.js';
import * as statements from './counters.statements.js';
import { OWN_OWNER, TRY_LOCK } from './record-counts.statements.js';
import type { CountedType } from './record-counts.repository.js';

/** What a configuration of an account lets count. */
export interface NeededCounters {
  readonly accountId: string;
  /** Of the configuration. */
  readonly version: string;
  readonly counted: readonly CountedRecords[];
}

/** Most new counters that are looked for at once. */
const MOST = 1_000;

/** Keeps the counters of accounts, and counts the records that were there before a counter. */
@Injectable()
export class CountersRepository {
  constructor(private readonly database: Database) {}

  /**
   * Adds the counters that a configuration needs and drops the others. Does nothing where the account has
   * another configuration by now.
   * @returns false where another transaction changes the counts of the account: to be tried again
   */
  keep({ accountId, version, counted }: NeededCounters): Promise<boolean> {
    const needed = JSON.stringify(counted.map(counterRow).filter(({ counter }) => counter !== OWN_OWNER));
    return this.database.transaction(async (tx) => {
      const [lock] = await tx.query<{ locked: boolean }>(TRY_LOCK, [accountId]);
      if (lock?.locked !== true) return false;
      const values = [accountId, version, needed];
      const [row] = await tx.query<{ dropped: number }>(statements.KEEP_COUNTERS, values);
      if (row?.dropped !== 0) await tx.query(statements.DELETE_DROPPED, [accountId]);
      return true;
    });
  }

  /** Returns counters that are not ready, of any account. */
  async findNew(): Promise<TypeCounters[]> {
    const rows = await this.database.query<{ account_id: string; object_type: ObjectType; counter: string }>(
      statements.FIND_NEW,
      [MOST],
    );
    const types = new Map<string, TypeCounters & { counters: string[] }>();
    for (const { account_id: accountId, object_type: objectType, counter } of rows) {
      const key = `${accountId} ${objectType}`;
      types.set(key, types.get(key) ?? { accountId, objectType, counters: [] });
      types.get(key)?.counters.push(counter);
    }
    return [...types.values()];
  }

  /** Observes the transactions of the database. */
  observe(): Promise<Observation> {
    return observeTransactions(this.database);
  }

  /**
   * Counts the records of a type for new counters, which are ready then. All transactions that do not know
   * the counters must have ended. Nobody waits for this: it adds what the counters lack in its snapshot, and
   * whatever changes meanwhile writes changes of its own. Counters that another process counts stay as they
   * are.
   * @throws the reason of the signal, where it is aborted
   */
  async seed({ counters, ...type }: TypeCounters, signal: AbortSignal): Promise<void> {
    await this.inSnapshot(async (tx) => {
      const [lock] = await tx.query<{ locked: boolean }>(statements.TRY_SEED_LOCK, keyOf(type));
      if (lock?.locked !== true) return;
      const unready = await this.find(tx, type, false);
      const wanted = counters.filter((counter) => unready.includes(counter));
      if (wanted.length === 0) return;
      await this.complete(tx, { ...type, counters: wanted }, signal);
    });
  }

  /** Compares the counters of a type that are ready with the records. */
  compare(type: CountedType): Promise<CheckResult> {
    return this.inSnapshot(async (tx) => {
      const counters = await this.find(tx, type, true);
      if (counters.length === 0) return { compared: 0, wrong: 0 };
      const truth = await countTruth(tx, { ...type, counters });
      const [row] = await tx.query<CheckResult>(statements.COMPARE, [...keyOf(type), counters, ...truth]);
      return row ?? { compared: 0, wrong: 0 };
    });
  }

  /** Writes what the counters of a type that are ready lack. */
  async repair(type: CountedType): Promise<void> {
    await this.inSnapshot(async (tx) => {
      const counters = await this.find(tx, type, true);
      if (counters.length > 0) await this.complete(tx, { ...type, counters });
    });
  }

  /** Writes what the counters lack of the truth of this snapshot. */
  private async complete(tx: Transaction, counted: TypeCounters, signal?: AbortSignal): Promise<void> {
    const truth = await countTruth(tx, counted, signal);
    await tx.query(statements.COMPLETE, [...keyOf(counted), counted.counters, ...truth]);
  }

  private async find(tx: Transaction, type: CountedType, areReady: boolean): Promise<string[]> {
    const rows = await tx.query<{ counter: string }>(statements.FIND_COUNTERS, [...keyOf(type), areReady]);
    return rows.map(({ counter }) => counter);
  }

  private inSnapshot<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.transaction(work, { isolation: 'REPEATABLE READ', long: true });
  }
}

function keyOf({ accountId, objectType }: CountedType): string[] {
  return [accountId, objectType];
}

function counterRow(counted: CountedRecords): Record<string, unknown> & { readonly counter: string } {
  const { objectType, ownerField, having } = counted;
  return {
    object_type: objectType,
    counter: counterOf(counted),
    owner_field: ownerField,
    having_field: having?.field ?? null,
    having_values: having?.values ?? null,
  };
}

import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import type { Queryable } from '../database/index.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../fields/index.js';
import { counterOf, type CountedRecords } from './counts/counted-records.js';
import { CounterKeeper } from './counts/counter-keeper.js';
import type { NeededCounters } from './counts/counters.repository.js';
import { COUNT_BY_COUNTER } from './counts/counters.statements.js';
import { COUNT_OWNED, OWN_OWNER } from './counts/record-counts.statements.js';
import * as statements from './records.statements.js';

/** Selects the owners and the records that are counted. */
export interface OwnedRecordsQuery extends CountedRecords {
  /** Stored names of the owners. */
  readonly owners: readonly string[];
}

/** An active record that was found by the unique key of its object type. */
export interface RecordOwner {
  readonly key: string;
  readonly id: string;
  /** Stored name of the owner. */
  readonly owner: string | null;
}

/** Counts and finds records by owner. */
@Injectable()
export class OwnedRecordsRepository {
  constructor(private readonly keeper: CounterKeeper) {}

  /** Asks for all that a configuration lets count to be counted in advance, from some time on. */
  need({ accountId }: AccountContext, { version, counted }: Omit<NeededCounters, 'accountId'>): void {
    this.keeper.need({ accountId, version, counted });
  }

  /** Counts active records. @returns the count by stored name; an owner without records is missing */
  async count(
    db: Queryable,
    account: AccountContext,
    query: OwnedRecordsQuery,
  ): Promise<ReadonlyMap<string, number>> {
    const counter = counterOf(query);
    const values = [account.accountId, query.objectType, query.owners, counter];
    if (counter === OWN_OWNER) return byEmail(await db.query<OwnerCount>(COUNT_OWNED, values));
    const rows = await db.query<OwnerCount>(COUNT_BY_COUNTER, values);
    if (rows.every(({ email }) => email !== null)) return this.countOneByOne(db, account, query);
    return byEmail(rows);
  }

  /** Counts for a counter that is not ready. */
  private async countOneByOne(
    db: Queryable,
    { accountId }: AccountContext,
    { objectType, ownerField, owners, having }: OwnedRecordsQuery,
  ): Promise<ReadonlyMap<string, number>> {
    const isTypesOwn = OBJECT_TYPE_RULES[objectType].ownerField === ownerField;
    const values: unknown[] = [accountId, objectType, owners];
    let statement = statements.COUNT_OWNED_BY_FIELD;
    if (having !== undefined) {
      statement = isTypesOwn ? statements.COUNT_OWNED_WITH_VALUE : statements.COUNT_OWNED_BY_FIELD_WITH_VALUE;
      values.push(having.field, having.values);
    }
    if (!isTypesOwn) values.push(ownerField);
    return byEmail(await db.query<OwnerCount>(statement, values));
  }

  /** Finds active records and their owners by the unique key of the object type (clause 2.8). */
  findByKey(
    db: Queryable,
    { accountId }: AccountContext,
    { objectType, keys }: { readonly objectType: ObjectType; readonly keys: readonly string[] },
  ): Promise<RecordOwner[]> {
    const { ownerField } = OBJECT_TYPE_RULES[objectType];
    return db.query<RecordOwner>(statements.FIND_OWNERS_BY_KEY, [accountId, objectType, keys, ownerField]);
  }
}

/** A row of a count. */
interface OwnerCount {
  /** Null in the row that says that the counter is ready. */
  readonly email: string | null;
  readonly count: number;
}

function byEmail(rows: readonly OwnerCount[]): ReadonlyMap<string, number> {
  return new Map(rows.flatMap(({ email, count }) => (email === null ? [] : [[email, count] as const])));
}

import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import type { Queryable } from '../database/index.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../fields/index.js';
import { CounterNeeds, counterOf, type CountedRecords, type NeededCounters } from './counts/counter-needs.js';
import { COUNT_OWNED } from './counts/record-counts.statements.js';
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
  constructor(private readonly needs: CounterNeeds) {}

  /** Asks for all that a configuration lets count to be counted in advance, from some time on. */
  need({ accountId }: AccountContext, { version, counted }: Omit<NeededCounters, 'accountId'>): void {
    this.needs.add({ accountId, version, counted });
  }

  /** Counts active records. @returns the count by stored name; an owner without records is missing */
  async count(
    db: Queryable,
    { accountId }: AccountContext,
    query: OwnedRecordsQuery,
  ): Promise<ReadonlyMap<string, number>> {
    const { objectType, ownerField, owners, having } = query;
    const common = [accountId, objectType, owners];
    let rows = await db.query<OwnerCount>(COUNT_OWNED, [...common, counterOf(query)]);
    if (rows.every(({ email }) => email !== null)) {
      // The counter is not ready. The type's own owner field has an index.
      const isOwn = OBJECT_TYPE_RULES[objectType].ownerField === ownerField;
      const statement = isOwn ? statements.COUNT_OWNED_ONE_BY_ONE : statements.COUNT_OWNED_BY_FIELD;
      const values = [...common, having?.field ?? null, having?.values ?? null];
      rows = await db.query<OwnerCount>(statement, isOwn ? values : [...values, ownerField]);
    }
    return new Map(rows.flatMap(({ email, count }) => (email === null ? [] : [[email, count] as const])));
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

interface OwnerCount {
  /** Null in the row that says that the counter is ready. */
  readonly email: string | null;
  readonly count: number;
}

import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import type { Queryable, Statement } from '../database/index.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../fields/index.js';
import { COUNT_OWNED, OWN_OWNER } from './counts/record-counts.statements.js';
import * as statements from './records.statements.js';

/** Selects the owners and the records that are counted. */
export interface OwnedRecordsQuery {
  readonly objectType: ObjectType;
  /** The user field that names the owner. */
  readonly ownerField: string;
  /** E-mails of the owners. */
  readonly owners: readonly string[];
  /** Only records that have one of the values in the field. */
  readonly having?: { readonly field: string; readonly values: readonly string[] };
}

/** An active record that was found by the unique key of its object type. */
export interface RecordOwner {
  readonly key: string;
  readonly id: string;
  /** E-mail of the owner. */
  readonly owner: string | null;
}

/** Counts and finds records by owner. */
@Injectable()
export class OwnedRecordsRepository {
  /** Counts active records. @returns the count by e-mail; an owner without records is missing */
  async count(
    db: Queryable,
    { accountId }: AccountContext,
    { objectType, ownerField, owners, having }: OwnedRecordsQuery,
  ): Promise<ReadonlyMap<string, number>> {
    const isTypesOwn = OBJECT_TYPE_RULES[objectType].ownerField === ownerField;
    const values: unknown[] = [accountId, objectType];
    let statement: Statement = COUNT_OWNED;
    if (having === undefined && isTypesOwn) {
      values.push(owners, OWN_OWNER);
    } else if (having === undefined) {
      statement = statements.COUNT_OWNED_BY_FIELD;
      values.push(owners, ownerField);
    } else {
      statement = isTypesOwn ? statements.COUNT_OWNED_WITH_VALUE : statements.COUNT_OWNED_BY_FIELD_WITH_VALUE;
      values.push(owners, having.field, having.values, ...(isTypesOwn ? [] : [ownerField]));
    }
    const rows = await db.query<{ email: string; count: number }>(statement, values);
    return new Map(rows.map(({ email, count }) => [email, count]));
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

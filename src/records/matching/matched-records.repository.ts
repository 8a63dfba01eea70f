import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Queryable } from '../../database/index.js';
import type { ObjectType } from '../../fields/index.js';
import { keyColumn } from '../record-key.js';
import { FIND_BY_KEYS } from '../records.statements.js';
import type { StoredRecord } from '../stored-record.js';

/** The active records that have some of these keys. */
export interface KeysQuery {
  readonly objectType: ObjectType;
  /** A unique key of the type, or `id`. */
  readonly property: string;
  /** As they are stored; ids are well-formed. */
  readonly values: readonly string[];
  /** Names of fields that are not read. */
  readonly without: readonly string[];
}

/** Reads records by many keys at once. */
@Injectable()
export class MatchedRecordsRepository {
  /** Returns the records in no order. Their fields lack those that are not read. */
  find(
    db: Queryable,
    { accountId }: AccountContext,
    { objectType, property, values, without }: KeysQuery,
  ): Promise<StoredRecord[]> {
    const statement = FIND_BY_KEYS[property === 'id' ? 'id' : keyColumn(property)];
    return db.query<StoredRecord>(statement, [accountId, objectType, values, without]);
  }
}

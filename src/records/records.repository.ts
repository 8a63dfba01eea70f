import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import { violatedIndex, type Queryable } from '../database/index.js';
import { OBJECT_TYPE_RULES, type FieldChanges, type ObjectType } from '../fields/index.js';
import type { PageRequest } from '../http/index.js';
import { DuplicateRecordError } from './duplicate-record.error.js';
import type { RecordRow } from './record-row.js';
import * as statements from './records.statements.js';

/** What a write sets, clears, and which of the set fields are owners. */
export interface RecordWrite {
  /** The configuration version that the values were validated against. */
  readonly version: string;
  readonly changes: FieldChanges;
  /** The user fields among the changes. */
  readonly owners: readonly string[];
}

/** Records, one statement a read or write. */
@Injectable()
export class RecordsRepository {
  /**
   * @returns the new record, or undefined when the configuration has changed since it was read.
   * @throws DuplicateRecordError
   */
  async insert(
    db: Queryable,
    account: AccountContext,
    objectType: ObjectType,
    { version, changes, owners }: RecordWrite,
  ): Promise<RecordRow | undefined> {
    const { ownerField } = OBJECT_TYPE_RULES[objectType];
    const values = [
      account.accountId,
      version,
      objectType,
      setValues(changes),
      owners,
      ownKey(objectType),
      ownerField,
    ];
    return this.write(db, account, objectType, changes, null, async () => {
      const [row] = await db.query<RecordRow>(statements.INSERT_RECORD, values);
      return row;
    });
  }

  /**
   * @returns the changed record; undefined when there is no such active record or the configuration has changed.
   * @throws DuplicateRecordError
   */
  async update(
    db: Queryable,
    account: AccountContext,
    objectType: ObjectType,
    id: string,
    { version, changes, owners }: RecordWrite,
  ): Promise<RecordRow | undefined> {
    const cleared = [...changes].filter(([, value]) => value === null).map(([name]) => name);
    const removed = cleared.flatMap((name) =>
      owners.includes(name) ? [name, `${name}_assigned_date`] : [name],
    );
    const stamped = owners.filter((name) => !cleared.includes(name));
    const set = setValues(changes);
    const { ownerField } = OBJECT_TYPE_RULES[objectType];
    const values = [
      account.accountId,
      version,
      objectType,
      id,
      set,
      stamped,
      removed,
      ownKey(objectType),
      ownerField,
    ];
    return this.write(db, account, objectType, changes, id, async () => {
      const [row] = await db.query<RecordRow>(statements.UPDATE_RECORD, values);
      return row;
    });
  }

  /** @returns the archived record, or undefined when there is no such active one. */
  async archive(
    db: Queryable,
    account: AccountContext,
    objectType: ObjectType,
    id: string,
    archivedBy: string,
  ): Promise<RecordRow | undefined> {
    const values = [account.accountId, objectType, id, archivedBy];
    const [row] = await db.query<RecordRow>(statements.ARCHIVE_RECORD, values);
    return row;
  }

  /** @returns the record, active or archived. */
  async find(
    db: Queryable,
    account: AccountContext,
    objectType: ObjectType,
    id: string,
  ): Promise<RecordRow | undefined> {
    const [row] = await db.query<RecordRow>(statements.FIND_RECORD, [account.accountId, objectType, id]);
    return row;
  }

  /** @returns one page in creation order, and the count of all rows that match. */
  async list(
    db: Queryable,
    account: AccountContext,
    objectType: ObjectType,
    { limit, offset, archived }: PageRequest,
  ): Promise<{ rows: RecordRow[]; count: number }> {
    const statement = archived ? statements.LIST_ALL_RECORDS : statements.LIST_ACTIVE_RECORDS;
    const values = [account.accountId, objectType, limit, offset];
    const rows = await db.query<RecordRow & { count: number }>(statement, values);
    return { rows: rows[0]?.id == null ? [] : rows, count: rows[0]?.count ?? 0 };
  }

  private async write<T>(
    db: Queryable,
    account: AccountContext,
    objectType: ObjectType,
    changes: FieldChanges,
    id: string | null,
    run: () => Promise<T>,
  ): Promise<T> {
    try {
      return await db.guard(run);
    } catch (error) {
      const index = violatedIndex(error);
      if (index === undefined) throw error;
      const own = ownKey(objectType);
      const keys = [own === null ? null : (changes.get(own) ?? null), changes.get('external_id') ?? null];
      const [found] = await db.query<{ unique_key: boolean | null; external_id: boolean | null }>(
        statements.FIND_COLLISIONS,
        [account.accountId, objectType, ...keys, id],
      );
      // The index that refused the row counts even if the record it met is gone by now.
      const fields: string[] = [];
      if (own !== null && (found?.unique_key === true || index === 'records_unique_key_key'))
        fields.push(own);
      if (found?.external_id === true || index === 'records_external_id_key') fields.push('external_id');
      throw new DuplicateRecordError(objectType, fields);
    }
  }
}

function setValues(changes: FieldChanges): string {
  return JSON.stringify(Object.fromEntries([...changes].filter(([, value]) => value !== null)));
}

/** The unique key that is the type's own: not the external id, which every type has. */
function ownKey(objectType: ObjectType): string | null {
  return OBJECT_TYPE_RULES[objectType].uniqueKeys.find((key) => key !== 'external_id') ?? null;
}

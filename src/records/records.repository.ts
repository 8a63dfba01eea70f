import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import type { Queryable, Transaction } from '../database/index.js';
import { assignedDateOf, OBJECT_TYPE_RULES, type FieldChanges, type ObjectType } from '../fields/index.js';
import { WriteAuthors, type Writer } from './history/write-authors.js';
import { keepingKeysUnique, ownKey } from './keeping-keys-unique.js';
import { keyColumn, namingOf, type KeyValue } from './record-key.js';
import { listRecords, type RecordList, type RecordListQuery } from './record-list.js';
import { setsLongField, WHOLE_BYTES, type LimitedChanges } from './record-size.js';
import { withVersion, type RecordView } from './record-view.js';
import { shownView, type Renamed } from './renamed-views.js';
import { extraValues, viewShape } from './record-view.sql.js';
import { viewStatement } from './record-view.statements.js';
import * as statements from './records.statements.js';
import type { StoredRecord } from './stored-record.js';

/** A record that was archived or restored, and what its view needs. */
export type ArchivedRow = StoredRecord & { readonly renamed: Renamed };

/** One record of an account. */
export interface RecordKey {
  readonly objectType: ObjectType;
  readonly id: string;
}

/** One record of an account that is written. */
export interface RecordTarget extends RecordKey {
  /** A key by which the client has named the record: one that has lost it is not written. */
  readonly key?: KeyValue | undefined;
  /** The versions of which it must have one; undefined for any. */
  readonly versions?: readonly string[] | undefined;
}

/** The active record that has a key. */
export interface KeyedRecord {
  readonly objectType: ObjectType;
  readonly key: KeyValue;
}

/** The values that a create or an update sets and clears. */
export interface RecordValues extends LimitedChanges {
  readonly objectType: ObjectType;
  /** The configuration version that the values were validated against. */
  readonly version: string;
}

/** Reads and writes records, with one statement each. */
@Injectable()
export class RecordsRepository {
  constructor(private readonly authors: WriteAuthors) {}

  /**
   * Creates a record.
   * @returns the new record, or undefined when the configuration has changed since it was read.
   * @throws DuplicateRecordError
   */
  insert(
    db: Queryable,
    account: Writer,
    { objectType, version, changes, owners }: RecordValues,
  ): Promise<StoredRecord | undefined> {
    return keepingKeysUnique(db, account, {
      objectType,
      changes,
      id: null,
      write: async () => {
        const values = [
          account.accountId,
          version,
          objectType,
          setValues(changes),
          owners.map(assignedDateOf),
          ownKey(objectType),
          OBJECT_TYPE_RULES[objectType].ownerField,
          this.authors.of(account),
        ];
        const [row] = await db.query<StoredRecord>(statements.INSERT_RECORD, values);
        return row;
      },
    });
  }

  /**
   * Updates an active record.
   * @returns the changed record; undefined when there is no such active record or it has lost the key, when
   *   the configuration has changed, or when the record would grow beyond the limit.
   * @throws DuplicateRecordError
   */
  update(
    db: Queryable,
    account: Writer,
    record: RecordValues & RecordTarget,
  ): Promise<StoredRecord | undefined> {
    const { objectType, id, key, versions, version, changes, owners, limit } = record;
    const naming = namingOf(key);
    const cleared = [...changes].filter(([, value]) => value === null).map(([name]) => name);
    const removed = cleared.flatMap((name) =>
      owners.includes(name) ? [name, assignedDateOf(name)] : [name],
    );
    return keepingKeysUnique(db, account, {
      objectType,
      changes,
      id,
      write: async () => {
        const set = setValues(changes);
        const common = [account.accountId, version, objectType, id, set];
        if (isPlain(record)) {
          const author = this.authors.of(account, [...changes.keys()]);
          const plain = [...common, limit.bytes, limit.apart, versions ?? null, author, ...naming.values];
          return (await db.query<StoredRecord>(statements.UPDATE_PLAIN_FIELDS[naming.by], plain))[0];
        }
        const values = [
          ...common,
          owners.filter((name) => !cleared.includes(name)).map(assignedDateOf),
          removed,
          ownKey(objectType),
          OBJECT_TYPE_RULES[objectType].ownerField,
          limit.bytes,
          limit.apart,
          setsLongField({ changes, limit }) ? WHOLE_BYTES : null,
          versions ?? null,
          this.authors.of(account),
          ...naming.values,
        ];
        const [row] = await db.query<StoredRecord>(statements.UPDATE_RECORD[naming.by], values);
        return row;
      },
    });
  }

  /**
   * Archives a record.
   * @returns the archived record, or undefined when there is no such active one, or it has lost the key.
   */
  async archive(
    db: Queryable,
    account: Writer,
    { objectType, id, key, versions, archivedBy }: RecordTarget & { readonly archivedBy: string },
  ): Promise<ArchivedRow | undefined> {
    const naming = namingOf(key);
    const author = this.authors.of(account);
    const values = [
      account.accountId,
      objectType,
      id,
      archivedBy,
      versions ?? null,
      author,
      ...naming.values,
    ];
    const [row] = await db.query<ArchivedRow>(statements.ARCHIVE_RECORD[naming.by], values);
    return row;
  }

  /**
   * Makes an archived record active again.
   * @param record `fields`: those that it has, for the keys among them
   * @returns the record, or undefined when there is no such archived one
   * @throws DuplicateRecordError
   */
  restore(
    db: Queryable,
    account: Writer,
    { objectType, id, versions, fields }: RecordTarget & Pick<StoredRecord, 'fields'>,
  ): Promise<ArchivedRow | undefined> {
    const changes = new Map(Object.entries(fields));
    return keepingKeysUnique(db, account, {
      objectType,
      changes,
      id,
      write: async () => {
        const values = [account.accountId, objectType, id, versions ?? null, this.authors.of(account)];
        const [row] = await db.query<ArchivedRow>(statements.RESTORE_RECORD, values);
        return row;
      },
    });
  }

  /** Returns the id of the active record that has a key. */
  async findId(
    db: Queryable,
    { accountId }: AccountContext,
    { objectType, key }: KeyedRecord,
  ): Promise<string | undefined> {
    const statement = statements.FIND_ID[keyColumn(key.property)];
    const [row] = await db.query<{ id: string }>(statement, [accountId, objectType, key.value]);
    return row?.id;
  }

  /**
   * Reads a record.
   * @returns the record, active or archived.
   */
  async find(
    db: Queryable,
    { accountId }: AccountContext,
    { objectType, id }: RecordKey,
  ): Promise<StoredRecord | undefined> {
    const [row] = await db.query<StoredRecord>(statements.FIND_RECORD, [accountId, objectType, id]);
    return row;
  }

  /**
   * Reads the view of a record: of an active or archived one by its id, of an active one by a key.
   * @param record `extras`: properties to add; `userFields`: the user fields among those of the view
   */
  async findView(
    db: Queryable,
    { accountId }: AccountContext,
    record: (KeyedRecord | RecordKey) & Pick<RecordListQuery, 'extras' | 'userFields'>,
  ): Promise<RecordView | undefined> {
    const { objectType, extras, userFields } = record;
    const [by, value] =
      'id' in record ? ['id' as const, record.id] : [keyColumn(record.key.property), record.key.value];
    const statement = viewStatement(viewShape(objectType, extras), by);
    const values = [accountId, objectType, value, ...extraValues(extras)];
    const [row] = await db.query<{ view: RecordView; version: string; renamed: Renamed }>(statement, values);
    return row && withVersion(shownView(row.view, row.renamed, userFields), row.version);
  }

  /**
   * Locks an active record, or an archived one, until the transaction ends.
   * @returns undefined when there is none
   */
  async lock(
    tx: Transaction,
    { accountId }: AccountContext,
    { objectType, id, archived = false }: RecordKey & { readonly archived?: boolean },
  ): Promise<StoredRecord | undefined> {
    const [row] = await tx.query<StoredRecord>(statements.LOCK_RECORD, [accountId, objectType, id, archived]);
    return row;
  }

  /** Reads a page of records in creation order. */
  list(db: Queryable, account: AccountContext, query: RecordListQuery): Promise<RecordList> {
    return listRecords(db, account, query);
  }
}

/** Whether an update sets no key, no user field and no long one, and clears nothing. */
function isPlain({ objectType, changes, owners, limit }: RecordValues): boolean {
  return (
    owners.length === 0 &&
    !OBJECT_TYPE_RULES[objectType].uniqueKeys.some((key) => changes.has(key)) &&
    ![...changes.values()].includes(null) &&
    !setsLongField({ changes, limit })
  );
}

/** Returns the values that changes set as a JSON object. */
export function setValues(changes: FieldChanges): string {
  return JSON.stringify(Object.fromEntries([...changes].filter(([, value]) => value !== null)));
}

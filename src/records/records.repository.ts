import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import type { ClientContext } from '../auth/index.js';
import { violatedIndex, type Queryable, type Statement, type Transaction } from '../database/index.js';
import { DuplicateError, type Collision } from '../errors/duplicate.error.js';
import { assignedDateOf, OBJECT_TYPE_RULES, type ObjectType } from '../fields/index.js';
import { WriteAuthors, type Writer } from './history/write-authors.js';
import {
  keysIn,
  typeKeyField,
  type KeyColumn,
  type NamedBy,
  type RecordKey,
  type RecordName,
} from './record-key.js';
import { setsLongField, WHOLE_BYTES, type LimitedChanges } from './record-size.js';
import {
  type RecordView,
  type Renamed,
  shownView,
  type ShownViews,
  type StoredRecord,
  withVersion,
} from './record-view.js';
import { extraValues, viewShape, viewStatement } from './record-view.statements.js';
import * as statements from './records.statements.js';

/** The values that a create or an update sets and clears. */
export interface RecordValues extends LimitedChanges {
  readonly objectType: ObjectType;
  /** The configuration version that the values were validated against. */
  readonly version: string;
}

/** Some records, each by another name. */
export interface NamedRecords extends NamedBy {
  readonly names: readonly string[];
  /** Names of fields that are not returned. */
  readonly hidden?: readonly string[];
  /** The versions of which a record that is written must have one; undefined for any. */
  readonly versions?: readonly string[] | undefined;
}

interface MovedRecords extends NamedRecords {
  /** Of the configuration, by which their views name users. */
  readonly version: string;
}

/** An update of one record. */
export interface NamedValues {
  readonly name: string;
  readonly values: RecordValues;
  /** The id that the record must have; undefined for any. */
  readonly onlyForId?: string | undefined;
}

interface NamedUpdates extends Omit<NamedRecords, 'names'> {
  readonly records: readonly NamedValues[];
  /** Leaves out records of which a unique key would change. */
  readonly keepsKeys?: boolean;
}

/** A statement for one input and one for several, whose rows have the place of their input, from 1. */
type Statements = Readonly<Record<'one' | 'several', Statement>>;

/** A write that a unique index may refuse. */
interface UniqueWrite {
  readonly objectType: ObjectType;
  readonly changes: RecordValues['changes'];
  /** The record that has the keys afterwards. */
  readonly holder?: RecordName;
  readonly write: () => Promise<readonly (StoredRecord | undefined)[]>;
}

/** In the order of the specification. */
const KEY_COLUMNS = ['unique_key', 'external_id'] as const;

/** How often a write is tried whose keys others take and give back in the meantime. */
const ATTEMPTS = 5;

/** Reads and writes records. Of several, the rows have the order of the inputs, undefined for none. */
@Injectable()
export class RecordsRepository {
  constructor(private readonly authors: WriteAuthors) {}

  /** Creates a record; undefined where the configuration has changed. @throws DuplicateError */
  insert(db: Queryable, writer: Writer, values: RecordValues): Promise<StoredRecord | undefined> {
    const input = [...this.creating(writer, [values]), values.version];
    const write = (): Promise<StoredRecord[]> => db.query(statements.INSERT_RECORD, input);
    return this.keepingKeysUnique(db, writer, { ...values, write });
  }

  /**
   * Creates records of one type, but for those whose keys others have. Each has an instant of its own, so
   * that they sort in the order given. They are written in that of their keys, so that two statements that
   * create the same ones wait for each other.
   */
  async insertAll(
    db: Queryable,
    writer: Writer,
    records: readonly RecordValues[],
  ): Promise<(StoredRecord | undefined)[]> {
    const [first] = records;
    if (first === undefined) return [];
    const statement = { one: statements.INSERT_RECORDS, several: statements.INSERT_RECORDS };
    const inputs = [...this.creating(writer, records), records.map(keyOrder), first.version] as const;
    return rowsOf(db, statement, inputs);
  }

  /**
   * Updates an active record; undefined where there is none with one of the versions, the configuration has
   * changed, or the record would grow beyond the limit. @throws DuplicateError
   */
  update(
    db: Queryable,
    writer: Writer,
    {
      record,
      versions,
      ...update
    }: Omit<NamedValues, 'name'> & Pick<NamedRecords, 'versions'> & { readonly record: RecordName },
  ): Promise<StoredRecord | undefined> {
    const { objectType, by, name } = record;
    const named = { objectType, by, versions, records: [{ ...update, name }] };
    const write = (): Promise<(StoredRecord | undefined)[]> => this.updateAll(db, writer, named);
    const { changes } = update.values;
    return this.keepingKeysUnique(db, writer, { objectType, changes, holder: record, write });
  }

  /** Updates active records. @throws the error of a unique index where another record has a key */
  async updateAll(
    db: Queryable,
    writer: Writer,
    { objectType, by, records, hidden = [], versions, keepsKeys = false }: NamedUpdates,
  ): Promise<(StoredRecord | undefined)[]> {
    const [first] = records;
    if (first === undefined) return [];
    const { version, limit } = first.values;
    const each = records.map(({ values }) => values);
    return rowsOf(db, statements.UPDATE_RECORDS[by], [
      writer.accountId,
      objectType,
      records.map(({ name }) => name),
      each.map(changesText),
      each.map(assignedDates),
      each.map((values) => (keepsKeys ? keysText(values) : '{}')),
      records.map(({ onlyForId }) => onlyForId ?? null),
      limit.bytes,
      limit.apart,
      each.some(setsLongField) ? WHOLE_BYTES : null,
      versions ?? null,
      hidden,
      this.authors.of(writer),
      each.map(formOfKey),
      version,
    ]);
  }

  /** Archives active records. */
  archive(db: Queryable, writer: ClientContext, moved: MovedRecords): Promise<(StoredRecord | undefined)[]> {
    const values = this.moving(writer, moved);
    return rowsOf(db, statements.ARCHIVE_RECORDS[moved.by], [...values, writer.clientId, moved.version]);
  }

  /**
   * Makes an archived record active again; undefined as of `update`. @param record `fields`: those that it
   * has, for the keys among them @throws DuplicateError
   */
  restore(
    db: Queryable,
    writer: Writer,
    record: Omit<MovedRecords, 'by' | 'names'> & RecordName & Pick<StoredRecord, 'fields'>,
  ): Promise<StoredRecord | undefined> {
    const { objectType, name, fields } = record;
    return this.keepingKeysUnique(db, writer, {
      objectType,
      changes: new Map(Object.entries(fields)),
      holder: record,
      write: () => this.restoreAll(db, writer, { ...record, names: [name] }),
    });
  }

  /** Makes archived records active again, by their ids. @throws as `updateAll` */
  restoreAll(db: Queryable, writer: Writer, moved: MovedRecords): Promise<(StoredRecord | undefined)[]> {
    return rowsOf(db, statements.RESTORE_RECORDS, [...this.moving(writer, moved), moved.version]);
  }

  /** The first values of a statement that creates records of one type. */
  private creating(writer: Writer, records: readonly RecordValues[]): StatementValues {
    return [
      writer.accountId,
      records[0]?.objectType,
      records.map(changesText),
      records.map(assignedDates),
      this.authors.of(writer),
      records.map(formOfKey),
    ];
  }

  private moving(
    writer: Writer,
    { objectType, names, versions, hidden = [] }: MovedRecords,
  ): StatementValues {
    return [writer.accountId, objectType, names, versions ?? null, hidden, this.authors.of(writer)];
  }

  /** Reads records: by their ids active and archived ones, by a key active ones. */
  find(
    db: Queryable,
    { accountId }: AccountContext,
    { objectType, by, names, hidden = [] }: NamedRecords,
  ): Promise<(StoredRecord | undefined)[]> {
    return rowsOf(db, statements.FIND_RECORDS[by], [accountId, objectType, names, hidden]);
  }

  /** Locks records in the order of their ids. What else the transaction waits for, it waits for briefly. */
  async lockInOrder(
    db: Queryable,
    { accountId }: AccountContext,
    { objectType, by, names }: NamedRecords,
  ): Promise<void> {
    const { one, several } = statements.LOCK_RECORDS[by];
    await Promise.all([
      db.query(names.length === 1 ? one : several, [accountId, objectType, names]),
      db.query(statements.WAIT_BRIEFLY, []),
    ]);
  }

  /** Locks an active record, or an archived one, until the transaction ends; undefined for none. */
  async lock(
    tx: Transaction,
    { accountId }: AccountContext,
    { objectType, id, archived = false }: RecordKey & { readonly archived?: boolean },
  ): Promise<StoredRecord | undefined> {
    const values = [accountId, objectType, id, archived];
    return (await tx.query<StoredRecord>(statements.LOCK_RECORD, values))[0];
  }

  /** Reads the view of a record: of an active or archived one by its id, of an active one by a key. */
  async findView(
    db: Queryable,
    { accountId }: AccountContext,
    { objectType, by, name, extras, userFields }: RecordName & ShownViews,
  ): Promise<RecordView | undefined> {
    const statement = viewStatement(viewShape(objectType, extras), by);
    const values = [accountId, objectType, name, ...extraValues(extras)];
    const [row] = await db.query<{ view: RecordView; version: string; renamed: Renamed }>(statement, values);
    return row && withVersion(shownView(row.view, row.renamed, userFields), row.version);
  }

  /** Finds active records. @returns the id of each, or undefined */
  async findIds(
    db: Queryable,
    { accountId }: AccountContext,
    sought: readonly RecordName[],
  ): Promise<(string | undefined)[]> {
    const columns = (['objectType', 'by', 'name'] as const).map((key) => sought.map((each) => each[key]));
    const rows = await db.query<{ n: number; id: string }>(statements.FIND_IDS, [accountId, ...columns]);
    const ids = new Map(rows.map(({ n, id }) => [n, id]));
    return sought.map((_, index) => ids.get(index + 1));
  }

  /**
   * Writes; where an index refuses that, says which records have the keys, or tries again where none has them
   * any more. @throws DuplicateError with the ids of these records; after some attempts without an id
   */
  private async keepingKeysUnique(
    db: Queryable,
    account: AccountContext,
    unique: UniqueWrite,
  ): Promise<StoredRecord | undefined> {
    const { objectType, changes, write } = unique;
    const keys = keysIn(objectType, changes);
    // A savepoint is for what a statement behind a refused one still does.
    const hasKey = KEY_COLUMNS.some((column) => keys[column] !== null);
    for (let attempt = 1; ; attempt++) {
      try {
        return (await (hasKey ? db.savepoint(write) : write()))[0];
      } catch (error) {
        const index = violatedIndex(error);
        if (index === undefined) throw error;
        const found = await this.collisions(db, account, unique);
        if (found.length === 0 && attempt < ATTEMPTS) continue;
        const column = index === 'records_unique_key_key' ? 'unique_key' : 'external_id';
        const { singular } = OBJECT_TYPE_RULES[objectType];
        const collisions = found.length > 0 ? found : [{ field: fieldOf(objectType, column) }];
        throw new DuplicateError(singular, collisions);
      }
    }
  }

  /** Finds the active records, but for the one that is written, that have keys. */
  private async collisions(
    db: Queryable,
    account: AccountContext,
    { objectType, changes, holder }: Omit<UniqueWrite, 'write'>,
  ): Promise<Collision[]> {
    const keys = keysIn(objectType, changes);
    const sought = KEY_COLUMNS.flatMap((by) => {
      const name = keys[by];
      return name === null ? [] : [{ objectType, by, name }];
    });
    const ids = await this.findIds(db, account, [...sought, ...(holder === undefined ? [] : [holder])]);
    const ownId = ids[sought.length];
    return sought.flatMap(({ by }, place): Collision[] => {
      const existingId = ids[place];
      if (existingId === undefined || existingId === ownId) return [];
      return [{ field: fieldOf(objectType, by), existingId }];
    });
  }
}

/** The field of a type that a column of keys has. */
function fieldOf(objectType: ObjectType, column: KeyColumn): string {
  return (column === 'unique_key' ? typeKeyField(objectType) : null) ?? 'external_id';
}

/** The values of a statement whose third lists its inputs. */
type StatementValues = readonly [
  account: unknown,
  objectType: unknown,
  inputs: readonly unknown[],
  ...others: unknown[],
];

/** Runs the statement for as many inputs as there are. @returns the row of each */
async function rowsOf<Row>(
  db: Queryable,
  { one, several }: Statements,
  values: StatementValues,
): Promise<(Row | undefined)[]> {
  const { length } = values[2];
  const found = new Array<Row | undefined>(length).fill(undefined);
  const rows = await db.query<Row & { readonly n: number }>(length === 1 ? one : several, values);
  for (const { n, ...row } of rows) found[n - 1] = row as Row;
  return found;
}

/** What a write sets as a JSON object, with null for what it clears: an owner with its assigned date. */
function changesText({ changes, owners }: RecordValues): string {
  const cleared = owners.filter((name) => changes.get(name) === null).map(assignedDateOf);
  return JSON.stringify(Object.fromEntries([...changes, ...cleared.map((name) => [name, null] as const)]));
}

/** The names of the assigned dates that a write sets, as a text[]. They have no quotes and backslashes. */
function assignedDates({ changes, owners }: RecordValues): string {
  const set = owners.filter((name) => changes.get(name) !== null).map(assignedDateOf);
  return `{${set.map((name) => `"${name}"`).join(',')}}`;
}

/** The unique keys that a write sets, as a JSON object, with null for those that it clears. */
function keysText({ objectType, changes }: RecordValues): string {
  const { uniqueKeys } = OBJECT_TYPE_RULES[objectType];
  return JSON.stringify(Object.fromEntries([...changes].filter(([name]) => uniqueKeys.includes(name))));
}

/** The form in which the unique key of the type is compared that a write sets; null where it is stored so. */
function formOfKey({ objectType, changes }: RecordValues): string | null {
  const { unique_key: form } = keysIn(objectType, changes);
  return form === changes.get(typeKeyField(objectType) ?? '') ? null : form;
}

function keyOrder({ objectType, changes }: RecordValues): string {
  const { unique_key, external_id } = keysIn(objectType, changes);
  return `${unique_key ?? ''} ${external_id ?? ''}`;
}

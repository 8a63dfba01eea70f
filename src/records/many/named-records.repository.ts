import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Queryable } from '../../database/index.js';
import { assignedDateOf, type ObjectType } from '../../fields/index.js';
import { WriteAuthors, type Writer } from '../history/write-authors.js';
import { keyColumn, type KeyColumn } from '../record-key.js';
import { setValues, type ArchivedRow, type RecordValues } from '../records.repository.js';
import type { StoredRecord } from '../stored-record.js';
import { arrayText } from './created-records.repository.js';
import * as statements from './named-records.statements.js';

/** How records of a type are named: by their ids, or by a unique key. */
export interface NamedBy {
  readonly objectType: ObjectType;
  /** The key; undefined for ids. */
  readonly property: string | undefined;
}

/** Some records, each by another name. */
export interface NamedRecords extends NamedBy {
  /** As they are stored. */
  readonly names: readonly string[];
}

/** What is known of a record before it is written. */
export interface FoundRecord {
  readonly id: string;
  readonly unique_key: string | null;
  readonly external_id: string | null;
  readonly archived: boolean;
}

/** A record that is written, as it is named. */
export interface NamedId {
  readonly id: string;
  /** As it is stored; the id where records are named by that. */
  readonly name: string;
}

/** Writes many records that are there, with one statement each. It must be part of a transaction. */
@Injectable()
export class NamedRecordsRepository {
  constructor(private readonly authors: WriteAuthors) {}

  /** Finds records by different names: active and archived ones by their ids, active ones by a key. */
  find(db: Queryable, account: AccountContext, named: NamedRecords): Promise<(FoundRecord | undefined)[]> {
    return readNamed(db, account, { ...named, statement: statements.FIND_NAMED });
  }

  /**
   * As `find`, and locks the records. Where it has waited for others, a record may have by now a key that was
   * not found. Whatever else the transaction waits for, it waits for briefly.
   */
  async lock(
    db: Queryable,
    account: AccountContext,
    named: NamedRecords,
  ): Promise<(FoundRecord | undefined)[]> {
    const [found] = await Promise.all([
      readNamed(db, account, { ...named, statement: statements.LOCK_NAMED }),
      db.query(statements.WAIT_BRIEFLY, []),
    ]);
    return found;
  }

  /**
   * Updates active records, none of them twice.
   * @param update `long`: fields that are not set and not returned
   * @returns the changed ones by id. Others are not there any more, have lost the key, or would be too
   *   large; or the configuration has changed
   * @throws the error of a unique index where another record has a key
   */
  async update(
    db: Queryable,
    writer: Writer,
    update: NamedBy & {
      readonly version: string;
      readonly limit: RecordValues['limit'];
      readonly records: readonly (NamedId & { readonly values: RecordValues })[];
    },
  ): Promise<ReadonlyMap<string, StoredRecord>> {
    const { objectType, property, version, limit, records } = update;
    const changed = records.map(({ values }) => changesOf(values));
    const values = [
      writer.accountId,
      version,
      objectType,
      records.map(({ id }) => id),
      changed.map(({ set }) => set),
      changed.map(({ dates }) => arrayText(dates)),
      changed.map(({ removed }) => arrayText(removed)),
      limit.bytes,
      limit.apart,
      this.authors.of(writer),
      ...namesOf(property, records),
    ];
    return byId(await db.query<StoredRecord>(statements.UPDATE_RECORDS[by(property)], values));
  }

  /** Archives active records. @returns the archived ones by id */
  async archive(
    db: Queryable,
    writer: Writer,
    archive: NamedBy & {
      readonly archivedBy: string;
      readonly long: readonly string[];
      readonly records: readonly NamedId[];
    },
  ): Promise<ReadonlyMap<string, ArchivedRow>> {
    const { objectType, property, archivedBy, long, records } = archive;
    const ids = records.map(({ id }) => id);
    const author = this.authors.of(writer);
    const values = [
      writer.accountId,
      objectType,
      ids,
      archivedBy,
      long,
      author,
      ...namesOf(property, records),
    ];
    return byId(await db.query<ArchivedRow>(statements.ARCHIVE_RECORDS[by(property)], values));
  }

  /** Makes archived records active again. @returns these by id @throws as `update` */
  async restore(
    db: Queryable,
    writer: Writer,
    {
      objectType,
      ids,
      long,
    }: { readonly objectType: ObjectType; readonly ids: readonly string[]; readonly long: readonly string[] },
  ): Promise<ReadonlyMap<string, ArchivedRow>> {
    const values = [writer.accountId, objectType, ids, long, this.authors.of(writer)];
    return byId(await db.query<ArchivedRow>(statements.RESTORE_RECORDS, values));
  }
}

async function readNamed(
  db: Queryable,
  { accountId }: AccountContext,
  {
    objectType,
    property,
    names,
    statement,
  }: NamedRecords & { readonly statement: typeof statements.FIND_NAMED },
): Promise<(FoundRecord | undefined)[]> {
  const values = [accountId, objectType, names];
  const rows = await db.query<FoundRecord & { n: number }>(statement[by(property)], values);
  const found = new Map(rows.map((row) => [row.n, row]));
  return names.map((_, index) => found.get(index + 1));
}

const by = (property: string | undefined): 'id' | KeyColumn =>
  property === undefined ? 'id' : keyColumn(property);

/** The names as a parameter, where they are keys. */
const namesOf = (property: string | undefined, records: readonly NamedId[]): readonly unknown[] =>
  property === undefined ? [] : [records.map(({ name }) => name)];

const byId = <Row extends { readonly id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [row.id, row]));

/** What an update sets as JSON, the assigned dates that it sets, and the stored keys that it removes. */
function changesOf({ changes, owners }: RecordValues): {
  readonly set: string;
  readonly dates: readonly string[];
  readonly removed: readonly string[];
} {
  const cleared = [...changes].flatMap(([name, value]) => (value === null ? [name] : []));
  const isCleared = (name: string): boolean => cleared.includes(name);
  return {
    set: setValues(changes),
    dates: owners.filter((name) => !isCleared(name)).map(assignedDateOf),
    removed: [...cleared, ...owners.filter(isCleared).map(assignedDateOf)],
  };
}

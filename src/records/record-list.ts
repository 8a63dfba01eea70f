import type { AccountContext } from '../accounts/index.js';
import type { Queryable } from '../database/index.js';
import type { ObjectType } from '../fields/index.js';
import { PAGE_BYTES, type PageRequest } from '../http/index.js';
import { countStatement, listStatement, walkStatement, type PageStart } from './records.list-statements.js';
import { JSON_BYTES_PER_BYTE } from './records.sql.js';
import type { StoredRecord } from './stored-record.js';

/** A page of records, and what is read of each. */
export interface RecordListQuery extends PageRequest {
  readonly objectType: ObjectType;
  /** Id of the record behind which the page starts; undefined where it starts at the offset. */
  readonly behind: string | undefined;
  /** Names of the stored fields to read. */
  readonly shown: readonly string[];
  /** The most bytes that a row has in the answer, the values of its fields apart. */
  readonly bytesPerRow: number;
}

/** A page in creation order. */
export interface RecordList {
  /** The records, of whose fields only those asked for are there. */
  readonly rows: StoredRecord[];
  /** The number of all rows that match. */
  readonly count: number;
  /** How many of these the request had to count itself. */
  readonly uncounted: number;
  /** Whether rows follow. */
  readonly more: boolean;
}

type Counts = Pick<RecordList, 'count' | 'uncounted'>;

interface Row extends Omit<StoredRecord, 'fields'>, Counts {
  /** The values of the names asked for; null for a record that is too large for the page. */
  readonly shown: readonly (string | null)[] | null;
}

/**
 * Reads a page of records. It ends early where its rows together would exceed PAGE_BYTES, but has one row at
 * least. An ordinary page takes one statement. A page with large records takes a second one, which is slower.
 */
export async function listRecords(
  db: Queryable,
  account: AccountContext,
  query: RecordListQuery,
): Promise<RecordList> {
  const { limit, offset, behind, shown } = query;
  const found = await readRows(db, account, query);
  const kept = found.slice(0, limit).filter((row) => row.shown !== null);
  const { count, uncounted } = found[0] ?? (await countAll(db, account, query));
  const more = behind === undefined ? offset + kept.length < count : kept.length < found.length;
  return { rows: kept.map((row) => toRecord(row, shown)), count, uncounted, more };
}

async function readRows(
  db: Queryable,
  { accountId }: AccountContext,
  { objectType, limit, offset, archived, behind, shown, bytesPerRow }: RecordListQuery,
): Promise<Row[]> {
  const start: PageStart = behind !== undefined ? 'after' : offset > 0 ? 'offset' : 'start';
  // Only the count says whether rows follow an offset. Behind a record, one row more says so.
  const most = behind === undefined ? limit : limit + 1;
  const bytes = Math.floor((PAGE_BYTES / most - bytesPerRow) / JSON_BYTES_PER_BYTE);
  const common = [accountId, objectType, most, shown];
  const place = behind ?? offset;
  const at = start === 'start' ? [] : [place];
  const statement = listStatement(!archived, start, shown.length);
  const rows = await db.query<Row>(statement, [...common, bytes, ...at]);
  if (rows.every((row) => row.shown !== null)) return rows;
  return db.query<Row>(walkStatement(!archived, start), [...common, PAGE_BYTES, place, bytesPerRow]);
}

async function countAll(
  db: Queryable,
  { accountId }: AccountContext,
  { objectType, archived, offset, behind }: RecordListQuery,
): Promise<Counts> {
  const none = { count: 0, uncounted: 0 };
  if (offset === 0 && behind === undefined) return none;
  const [row] = await db.query<Counts>(countStatement(!archived), [accountId, objectType]);
  return row ?? none;
}

function toRecord({ shown, count: _, uncounted: __, ...row }: Row, names: readonly string[]): StoredRecord {
  const fields: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const value = shown?.[index] ?? null;
    if (value !== null) fields[name] = value;
  }
  return { ...row, fields };
}

import type { AccountContext } from '../accounts/index.js';
import type { Queryable } from '../database/index.js';
import type { ObjectType } from '../fields/index.js';
import { PAGE_BYTES, type PageRequest } from '../paging/index.js';
import { countStatement, listStatement, walkStatement, type PageStart } from './record-view.statements.js';
import { shownTexts, type Renamed } from './renamed-views.js';
import { extraValues, keyOf, viewShape } from './record-view.sql.js';
import { JSON_BYTES_PER_BYTE } from './records.sql.js';

/** A page of records, and what is read of each. */
export interface RecordListQuery extends PageRequest {
  readonly objectType: ObjectType;
  /** Id of the record behind which the page starts; undefined where it starts at the offset. */
  readonly behind: string | undefined;
  /** Properties to show beside the default fields of the type, each once. */
  readonly extras: readonly string[];
  /** Names of the user fields among those of the views. */
  readonly userFields: readonly string[];
  /** The most bytes that a view has in the answer, the values of its fields apart. */
  readonly bytesPerRow: number;
}

/** A page in creation order. */
export interface RecordList {
  /** The views of the records as JSON. */
  readonly views: readonly string[];
  /** Id of the last of them. */
  readonly last: string | undefined;
  /** The number of all rows that match. */
  readonly count: number;
  /** How many of these the request had to count itself. */
  readonly uncounted: number;
  /** Whether rows follow. */
  readonly more: boolean;
}

type Counts = Pick<RecordList, 'count' | 'uncounted'>;

interface Row extends Counts {
  readonly id: string;
  /** Null for a record that is too large for the page. */
  readonly view: string | null;
  readonly renamed: Renamed;
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
  const { limit, offset, behind } = query;
  const found = await readRows(db, account, query);
  const kept = found.slice(0, limit).filter((row) => row.view !== null);
  const { count, uncounted } = found[0] ?? (await countAll(db, account, query));
  const more = behind === undefined ? offset + kept.length < count : kept.length < found.length;
  const stored = kept.map(({ view }) => view ?? '');
  const views = shownTexts(stored, found[0]?.renamed ?? null, query.userFields);
  return { views, last: kept.at(-1)?.id, count, uncounted, more };
}

async function readRows(
  db: Queryable,
  { accountId }: AccountContext,
  { objectType, limit, offset, archived, behind, extras, bytesPerRow }: RecordListQuery,
): Promise<Row[]> {
  const start: PageStart = behind !== undefined ? 'after' : offset > 0 ? 'offset' : 'start';
  // Only the count says whether rows follow an offset. Behind a record, one row more says so.
  const most = behind === undefined ? limit : limit + 1;
  const bytes = Math.floor((PAGE_BYTES / most - bytesPerRow) / JSON_BYTES_PER_BYTE);
  const common = [accountId, objectType, most];
  const place = behind ?? offset;
  const at = start === 'start' ? [] : [place];
  const shape = viewShape(objectType, extras);
  const rows = await db.query<Row>(listStatement(!archived, start, shape), [
    ...common,
    bytes,
    ...at,
    ...extraValues(extras),
  ]);
  if (rows.every((row) => row.view !== null)) return rows;
  const walk = walkStatement(!archived, start, objectType);
  return db.query<Row>(walk, [...common, PAGE_BYTES, place, extras, extras.map(keyOf)]);
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

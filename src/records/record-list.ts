import type { AccountContext } from '../accounts/index.js';
import type { Queryable } from '../database/index.js';
import type { ObjectType } from '../fields/index.js';
import { PAGE_BYTES, type PageRequest } from '../paging/index.js';
import { listStatement, walkStatement, type PageStart } from './record-view.statements.js';
import { lastIdIn, viewsIn, withoutLast } from './joined-views.js';
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
  /** The views of the records as JSON. A part has one or more of them, joined by commas. */
  readonly parts: readonly string[];
  /** Id of the last of the records. */
  readonly last: string | undefined;
  /** The number of all rows that match. */
  readonly count: number;
  /** How many of these the request had to count itself. */
  readonly uncounted: number;
  /** Whether rows follow. */
  readonly more: boolean;
}

type Counts = Pick<RecordList, 'count' | 'uncounted'>;

/** What the statement of a page returns. */
interface Found extends Counts {
  readonly found: number;
  /** How many of those found are small enough for the page. */
  readonly fit: number;
  /** The views of these, joined by commas. Null for none. */
  readonly views: string | null;
  readonly renamed: Renamed;
}

/** A row of a page that is read row by row. */
interface Row extends Counts {
  readonly id: string;
  /** Null for a record that is too large for the page. */
  readonly view: string | null;
  readonly renamed: Renamed;
}

/** What is read of a page. */
interface Read {
  readonly parts: RecordList['parts'];
  /** How many records these have. */
  readonly kept: number;
  /** How many were found: of a page behind a record one more, where others follow. */
  readonly found: number;
  readonly counts: Counts;
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
  const { parts, kept, found, counts, renamed } = await readPage(db, account, query);
  const { offset, behind, userFields } = query;
  const more = behind === undefined ? offset + kept < counts.count : kept < found;
  const last = parts.at(-1);
  // Each view is looked at where e-mails have changed only.
  const shown = renamed == null ? parts : shownTexts(parts.flatMap(viewsIn), renamed, userFields);
  return { parts: shown, last: last === undefined ? undefined : lastIdIn(last), ...counts, more };
}

async function readPage(
  db: Queryable,
  { accountId }: AccountContext,
  { objectType, limit, offset, archived, behind, extras, bytesPerRow }: RecordListQuery,
): Promise<Read> {
  const start: PageStart = behind !== undefined ? 'after' : offset > 0 ? 'offset' : 'start';
  // Only the count says whether rows follow an offset. Behind a record, one row more says so.
  const most = behind === undefined ? limit : limit + 1;
  const bytes = Math.floor((PAGE_BYTES / most - bytesPerRow) / JSON_BYTES_PER_BYTE);
  const common = [accountId, objectType, most];
  const place = behind ?? offset;
  const at = start === 'start' ? [] : [place];
  const list = listStatement(!archived, start, viewShape(objectType, extras));
  const [page] = await db.query<Found>(list, [...common, bytes, ...at, ...extraValues(extras)]);
  if (page !== undefined && page.fit === page.found) return wholePage(page, limit);
  const walk = walkStatement(!archived, start, objectType);
  const rows = await db.query<Row>(walk, [...common, PAGE_BYTES, place, extras, extras.map(keyOf)]);
  // Where the large records of the page are gone meanwhile, the count is that of the page.
  const read = { count: 0, uncounted: 0, renamed: null, ...page, ...rows[0] };
  return walkedPage(rows, limit, read);
}

function wholePage({ found, views, count, uncounted, renamed }: Found, limit: number): Read {
  const text = views === null || found <= limit ? views : withoutLast(views);
  const parts = text === null ? [] : [text];
  return { parts, kept: Math.min(found, limit), found, counts: { count, uncounted }, renamed };
}

function walkedPage(
  rows: readonly Row[],
  limit: number,
  { count, uncounted, renamed }: Counts & Pick<Row, 'renamed'>,
): Read {
  const parts = rows.slice(0, limit).flatMap(({ view }) => view ?? []);
  return { parts, kept: parts.length, found: rows.length, counts: { count, uncounted }, renamed };
}

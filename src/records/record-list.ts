import type { AccountContext } from '../accounts/index.js';
import { LEAST_ID, type Queryable } from '../database/index.js';
import type { ObjectType } from '../fields/index.js';
import { PAGE_BYTES, type PageRequest } from '../paging/index.js';
import { listStatement, walkStatement } from './record-view.statements.js';
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
  /** Whether to count all rows that match. */
  readonly counts: boolean;
}

/** A page in creation order. */
export interface RecordList {
  /** The views of the records as JSON. A part has one or more of them, joined by commas. */
  readonly parts: readonly string[];
  /** Id of the last of the records. */
  readonly last: string | undefined;
  /** The number of all rows that match; 0 where it was not asked for. */
  readonly count: number;
  /** Whether rows follow. */
  readonly more: boolean;
}

/** What the statement of a page returns. */
interface Found {
  readonly count: number | null;
  readonly renamed: Renamed;
  readonly found: number;
  /** How many of those found are small enough for the page. */
  readonly fit: number;
  /** The views of these, joined by commas. Null for none. */
  readonly views: string | null;
}

/** A row of a page that is read row by row. */
interface Row extends Pick<Found, 'count' | 'renamed'> {
  readonly id: string;
  /** Null for a record that is too large for the page. */
  readonly view: string | null;
}

/**
 * Reads a page of records, and one record more, which says that others follow. It ends early where its rows
 * together would exceed PAGE_BYTES, but has one row at least. An ordinary page takes one statement. A page
 * with large records takes a second one, which is slower.
 */
export async function listRecords(
  db: Queryable,
  { accountId }: AccountContext,
  query: RecordListQuery,
): Promise<RecordList> {
  const { objectType, limit, offset, archived, behind, extras, userFields, bytesPerRow, counts } = query;
  const [start, place] =
    behind === undefined && offset > 0
      ? (['offset', offset] as const)
      : (['after', behind ?? LEAST_ID] as const);
  const bytes = Math.floor((PAGE_BYTES / (limit + 1) - bytesPerRow) / JSON_BYTES_PER_BYTE);
  const values = (most: number): unknown[] => [accountId, objectType, limit + 1, most, place, counts];
  const list = listStatement(!archived, start, viewShape(objectType, extras));
  const [page] = await db.query<Found>(list, [...values(bytes), ...extraValues(extras)]);
  if (page === undefined) throw new Error('A page of records has one row');
  const { found, views } = page;
  let parts = views === null ? [] : [found > limit ? withoutLast(views) : views];
  let more = found > limit;
  // Where the large records of the page are gone meanwhile, the count is that of the page.
  let { count, renamed }: Pick<Found, 'count' | 'renamed'> = page;
  if (page.fit < found) {
    const walk = walkStatement(!archived, start, objectType);
    const rows = await db.query<Row>(walk, [...values(PAGE_BYTES), extras, extras.map(keyOf)]);
    parts = rows.slice(0, limit).flatMap(({ view }) => view ?? []);
    more = parts.length < rows.length;
    ({ count, renamed } = rows[0] ?? page);
  }
  const last = parts.at(-1);
  // Each view is looked at where e-mails have changed only.
  const shown = renamed == null ? parts : shownTexts(parts.flatMap(viewsIn), renamed, userFields);
  return { parts: shown, last: last === undefined ? undefined : lastIdIn(last), count: count ?? 0, more };
}

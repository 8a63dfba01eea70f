import type { AccountContext } from '../accounts/index.js';
import { LEAST_ID, type Queryable } from '../database/index.js';
import { PAGE_BYTES, type PageRequest } from '../paging/index.js';
import {
  extraValues,
  listStatement,
  viewShape,
  viewsStatement,
  viewStatement,
} from './record-view.statements.js';
import { shownTexts, type RecordView, type Renamed, type ShownViews } from './record-view.js';
import { JSON_BYTES_PER_BYTE } from './records.sql.js';

/** A page of records, and what is read of each. */
export interface RecordListQuery extends PageRequest, ShownViews {
  /** Id of the record behind which the page starts; undefined where it starts at the offset. */
  readonly behind: string | undefined;
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
  /** The ids of those found that are too large to be read beside others. */
  readonly large: readonly string[] | null;
  /** The views of the others, joined by commas. Null for none. */
  readonly views: string | null;
}

/** The view of a record as JSON. */
export interface FoundView {
  readonly id: string;
  readonly view: string;
}

/** A found record; null for the view of one that is too large to be read beside others. */
type FoundRow = Omit<FoundView, 'view'> & { readonly view: string | null };

/**
 * Reads a page of records, and one record more, which says that others follow. It ends early where its rows
 * together would exceed PAGE_BYTES, but has one row at least. An ordinary page takes one statement; each
 * large record takes another.
 */
export async function listRecords(
  db: Queryable,
  account: AccountContext,
  query: RecordListQuery,
): Promise<RecordList> {
  const { objectType, limit, offset, archived, behind, extras, userFields, counts } = query;
  const [start, place] =
    behind === undefined && offset > 0
      ? (['offset', offset] as const)
      : (['after', behind ?? LEAST_ID] as const);
  const statement = listStatement(!archived, start, viewShape(objectType, extras));
  const values = [account.accountId, objectType, limit + 1, mostBytes(limit + 1, query), place, counts];
  const [page] = await db.query<Found>(statement, [...values, ...extraValues(extras)]);
  if (page === undefined) throw new Error('A page of records has one row');
  const { found, large, views, renamed, count } = page;
  let parts = views === null ? [] : [found > limit && large === null ? withoutLast(views) : views];
  let more = found > limit;
  if (large !== null) {
    const small = views === null ? [] : viewsIn(views).map((view) => ({ id: lastIdIn(view), view }));
    const rows: FoundRow[] = [...small, ...large.map((id) => ({ id, view: null }))];
    rows.sort((a, b) => (a.id < b.id ? -1 : 1));
    const fitting = await fittingViews(db, account, { rows: rows.slice(0, limit), shown: query, archived });
    parts = fitting.views.map(({ view }) => view);
    more ||= fitting.isCut;
  }
  const last = parts.at(-1);
  // Each view is looked at where e-mails have changed only.
  const shown = renamed == null ? parts : shownTexts(parts.flatMap(viewsIn), renamed, userFields);
  return { parts: shown, last: last === undefined ? undefined : lastIdIn(last), count: count ?? 0, more };
}

/**
 * Reads the views of records as JSON, in the order of their ids. It ends early where they together would
 * exceed PAGE_BYTES, but has one at least. An id of no record has no view.
 * @returns `isCut`: whether it ended early
 */
export async function foundViews(
  db: Queryable,
  account: AccountContext,
  { ids, ...shown }: ShownViews & { readonly ids: readonly string[] },
): Promise<{ readonly found: readonly FoundView[]; readonly isCut: boolean }> {
  if (ids.length === 0) return { found: [], isCut: false };
  const { objectType, extras, userFields } = shown;
  const values = [account.accountId, objectType, ids, mostBytes(ids.length, shown), ...extraValues(extras)];
  const statement = viewsStatement(viewShape(objectType, extras));
  const rows = await db.query<FoundRow & { readonly renamed: Renamed }>(statement, values);
  const { views, isCut } = await fittingViews(db, account, { rows, shown, archived: true });
  const texts = shownTexts(
    views.map(({ view }) => view),
    rows[0]?.renamed,
    userFields,
  );
  return { found: views.map(({ id }, index) => ({ id, view: texts[index] ?? '' })), isCut };
}

/** The most bytes of fields with which so many views fit a page. */
function mostBytes(rows: number, { bytesPerRow }: ShownViews): number {
  return Math.floor((PAGE_BYTES / rows - bytesPerRow) / JSON_BYTES_PER_BYTE);
}

/** Reads the large ones of found records one after the other, until the page is full. */
async function fittingViews(
  db: Queryable,
  { accountId }: AccountContext,
  { rows, shown, archived }: { rows: readonly FoundRow[]; shown: ShownViews; archived: boolean },
): Promise<{ readonly views: readonly FoundView[]; readonly isCut: boolean }> {
  const { objectType, extras } = shown;
  const statement = viewStatement(viewShape(objectType, extras));
  const views: FoundView[] = [];
  let bytes = 0;
  for (const { id, view: present } of rows) {
    let view = present;
    if (view === null) {
      const values = [accountId, objectType, id, ...extraValues(extras)];
      const [row] = await db.query<{ view: RecordView }>(statement, values);
      // It may be gone, or archived, since it was found.
      if (row === undefined || (!archived && row.view['archived'] !== false)) continue;
      view = JSON.stringify(row.view);
    }
    bytes += Buffer.byteLength(view) + 1;
    if (bytes > PAGE_BYTES && views.length > 0) return { views, isCut: true };
    views.push({ id, view });
  }
  return { views, isCut: false };
}

/** The beginning of a view as JSON. */
const BEGIN = '{"id":"';
/** What is between two views, and nowhere else: a quotation mark in a text has a backslash before it. */
const BETWEEN = `},${BEGIN}`;

/** Returns views that are joined by commas one by one. */
export function viewsIn(text: string): readonly string[] {
  const views = text.split(BETWEEN);
  const last = views.length - 1;
  return views.map((view, index) => `${index === 0 ? '' : BEGIN}${view}${index === last ? '' : '}'}`);
}

/** Returns two or more joined views without the last one. */
const withoutLast = (text: string): string => text.slice(0, text.lastIndexOf(BETWEEN) + 1);

/** Returns the id in the last of joined views. */
function lastIdIn(text: string): string {
  const between = text.lastIndexOf(BETWEEN);
  const start = between === -1 ? BEGIN.length : between + BETWEEN.length;
  return text.slice(start, text.indexOf('"', start));
}

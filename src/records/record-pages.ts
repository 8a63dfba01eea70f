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

/** A page of records, and what is read of each. */
export interface RecordListQuery extends PageRequest, ShownViews {
  /** Id of the record behind which the page starts; undefined where it starts at the offset. */
  readonly behind: string | undefined;
  /** Whether to count all rows that match. */
  readonly counts: boolean;
}

/** A page in creation order. */
export interface RecordList {
  /** The views of the records as JSON. */
  readonly views: readonly string[];
  readonly ids: readonly string[];
  /** The number of all rows that match; 0 where it was not asked for. */
  readonly count: number;
  /** Whether rows follow. */
  readonly more: boolean;
}

/** Views of records as JSON, in the order of their ids. */
export interface FoundViews {
  readonly ids: readonly string[];
  readonly views: readonly string[];
  /** Whether they are fewer than were asked for, as they would exceed PAGE_BYTES. */
  readonly isCut: boolean;
}

/** What the statement of a page returns. */
interface Found {
  readonly views: string | null;
  readonly renamed: Renamed;
  readonly count?: number | null;
  /** Of a cluster: what comes to the count. */
  readonly uncounted?: number;
}

const BEGIN = '{"id":"';

/** The most bytes of JSON for a byte of stored text: a control character is written as \u0001. */
const JSON_BYTES_PER_BYTE = 6;

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
  const { objectType, limit, offset, archived, behind, extras, counts } = query;
  const [start, place] =
    behind === undefined && offset > 0
      ? (['offset', offset] as const)
      : (['after', behind ?? LEAST_ID] as const);
  const statement = listStatement(!archived, start, viewShape(objectType, extras));
  const values = [account.accountId, objectType, limit + 1, mostBytes(limit + 1), place];
  const [page] = await db.query<Found>(statement, [...values, ...extraValues(extras), counts]);
  const lines = linesOf(page);
  const fitting = await fittingViews(db, account, { lines: lines.slice(0, limit), shown: query, archived });
  const views = shownTexts(fitting.views, page?.renamed, query.userFields);
  const more = lines.length > limit || fitting.isCut;
  return { views, ids: fitting.ids, count: (page?.count ?? 0) + (page?.uncounted ?? 0), more };
}

/** Reads the views of records, one at least. An id of no record has no view. */
export async function foundViews(
  db: Queryable,
  account: AccountContext,
  { ids, ...shown }: ShownViews & { readonly ids: readonly string[] },
): Promise<FoundViews> {
  if (ids.length === 0) return { ids: [], views: [], isCut: false };
  const { objectType, extras, userFields } = shown;
  const values = [account.accountId, objectType, ids, mostBytes(ids.length), ...extraValues(extras)];
  const [page] = await db.query<Found>(viewsStatement(viewShape(objectType, extras)), values);
  const fitting = await fittingViews(db, account, { lines: linesOf(page), shown, archived: true });
  return { ...fitting, views: shownTexts(fitting.views, page?.renamed, userFields) };
}

/** The most bytes of fields with which the values of so many records fit a page. */
const mostBytes = (rows: number): number => Math.floor(PAGE_BYTES / rows / JSON_BYTES_PER_BYTE);

/** Each is a view, or the id of a record that is too large to be read beside others. */
const linesOf = (page: Found | undefined): readonly string[] => page?.views?.split(',\n') ?? [];

/** Reads the large ones of found records one after the other, until the page is full. */
async function fittingViews(
  db: Queryable,
  { accountId }: AccountContext,
  { lines, shown, archived }: { lines: readonly string[]; shown: ShownViews; archived: boolean },
): Promise<FoundViews> {
  const { objectType, extras } = shown;
  const statement = viewStatement(viewShape(objectType, extras));
  const found = { ids: [] as string[], views: [] as string[] };
  let bytes = 0;
  for (const line of lines) {
    const isView = line.startsWith(BEGIN);
    const id = isView ? line.slice(BEGIN.length, line.indexOf('"', BEGIN.length)) : line;
    let view = line;
    if (!isView) {
      const values = [accountId, objectType, id, ...extraValues(extras)];
      const [row] = await db.query<{ view: RecordView }>(statement, values);
      // It may be gone, or archived, since it was found.
      if (row === undefined || (!archived && row.view['archived'] !== false)) continue;
      view = JSON.stringify(row.view);
    }
    bytes += Buffer.byteLength(view) + 1;
    if (bytes > PAGE_BYTES && found.views.length > 0) return { ...found, isCut: true };
    found.ids.push(id);
    found.views.push(view);
  }
  return { ...found, isCut: false };
}

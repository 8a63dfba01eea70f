import type { AccountContext } from '../../accounts/index.js';
import { unknownWhenPlanned, type Queryable, type Statement } from '../../database/index.js';
import { RENAMED_USERS } from '../../directory/index.js';
import type { ObjectType } from '../../fields/index.js';
import { PAGE_BYTES } from '../../paging/index.js';
import { madeStatement } from '../made-statement.js';
import {
  extraValues,
  recordViewText,
  shapeName,
  VIEW_COLUMNS,
  viewFields,
  viewShape,
  type ViewShape,
} from '../record-view.sql.js';
import { viewStatement } from '../record-view.statements.js';
import type { RecordView } from '../record-view.js';
import { shownTexts, type Renamed } from '../renamed-views.js';
import { JSON_BYTES_PER_BYTE } from '../records.sql.js';

/**
 * $1 account, $2 object type, $3 ids, $4 bytes, then the names and the keys of extra properties, where the
 * shape has some. The views of records, as in lists, in the order of the ids. The view is null where a record
 * has more than $4 bytes.
 */
const viewsStatement = (shape: ViewShape): Statement =>
  madeStatement(`record_search_views_${shapeName(shape)}`, () => {
    const view = recordViewText(shape, { names: '$5', keys: '$6' });
    return `SELECT r.id, CASE WHEN pg_column_size(r.fields) <= $4 THEN ${view} END AS view,
      ${RENAMED_USERS}
    FROM (SELECT wanted.n, ${VIEW_COLUMNS}, ${viewFields(shape)}
      FROM unnest(${unknownWhenPlanned('$3::uuid[]')}) WITH ORDINALITY AS wanted (id, n)
      JOIN records r ON r.account_id = $1 AND r.object_type = $2 AND r.id = wanted.id OFFSET 0) AS r
    ORDER BY r.n`;
  });

/** Which views are read. */
export interface ViewsQuery {
  readonly objectType: ObjectType;
  /** Ids of records, in the order of the page. */
  readonly ids: readonly string[];
  /** Properties to show beside the default fields of the type, each once. */
  readonly extras: readonly string[];
  /** Names of the user fields among those of the views. */
  readonly userFields: readonly string[];
  /** The most bytes that a view has in the answer, the values of its fields apart. */
  readonly bytesPerRow: number;
}

interface Row {
  readonly id: string;
  /** Null for a record that is too large to be read beside the others. */
  readonly view: string | null;
  readonly renamed: Renamed;
}

/** The view of a record as JSON. */
export interface FoundView {
  readonly id: string;
  readonly view: string;
}

/**
 * Reads the views of records as JSON, in their order. It ends early where they together would exceed
 * PAGE_BYTES, but has one at least. Large records are read one after the other. An id of no record has no
 * view.
 * @returns `isCut`: whether it ended early
 */
export async function foundViews(
  db: Queryable,
  { accountId }: AccountContext,
  { objectType, ids, extras, userFields, bytesPerRow }: ViewsQuery,
): Promise<{ readonly found: readonly FoundView[]; readonly isCut: boolean }> {
  if (ids.length === 0) return { found: [], isCut: false };
  const shape = viewShape(objectType, extras);
  const most = Math.floor((PAGE_BYTES / ids.length - bytesPerRow) / JSON_BYTES_PER_BYTE);
  const added = extraValues(extras);
  const rows = await db.query<Row>(viewsStatement(shape), [accountId, objectType, ids, most, ...added]);
  const views: string[] = [];
  let bytes = 0;
  for (const { id, view: present } of rows) {
    const view = present ?? (await readLarge(id));
    bytes += Buffer.byteLength(view) + 1;
    if (bytes > PAGE_BYTES && views.length > 0) break;
    views.push(view);
  }
  const shown = shownTexts(views, rows[0]?.renamed ?? null, userFields);
  const found = shown.map((view, index) => ({ id: rows[index]?.id ?? '', view }));
  return { found, isCut: found.length < rows.length };

  async function readLarge(id: string): Promise<string> {
    const values = [accountId, objectType, id, ...added];
    const [row] = await db.query<{ view: RecordView }>(viewStatement(shape), values);
    return JSON.stringify(row?.view);
  }
}

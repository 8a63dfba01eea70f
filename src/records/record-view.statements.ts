import type { Statement } from '../database/index.js';
import { RENAMED_USERS } from '../directory/index.js';
import type { ObjectType } from '../fields/index.js';
import { PAGE_ROWS } from '../paging/index.js';
import { behindPlace, countRecords, findOffset, FROM_PLACE } from './counts/record-counts.sql.js';
import { madeStatement } from './made-statement.js';
import type { KeyColumn } from './record-key.js';
import { RECORD_VERSION } from './records.sql.js';
import { recordViewText, shapeName, VIEW_COLUMNS, viewFields, type ViewShape } from './record-view.sql.js';

/** Where a page starts: at the first record, at an offset, or behind a record. */
export type PageStart = 'start' | 'offset' | 'after';

const matching = (active: boolean): string =>
  `r.account_id = $1 AND r.object_type = $2${active ? ' AND r.archived_at IS NULL' : ''}`;

/** Counts once, whatever number of rows the page has, and finds the place of an offset. */
const withCount = (active: boolean, start: PageStart): string =>
  `counted AS MATERIALIZED (${countRecords(active)})${
    start === 'offset' ? `, place AS MATERIALIZED (${findOffset(active, '$5::bigint')})` : ''
  }`;

/**
 * The rows of a page. The rows that an offset skips are not unpacked. A page has a bound that PostgreSQL
 * knows, beside the one that it does not know when it plans for all values. Without it, that plan expects a
 * tenth of the records, so that each list is planned anew, which takes longer than to run it (ADR 7).
 */
function rows(active: boolean, start: PageStart, shape: ViewShape): string {
  const page = (fields: string, behind: string, end: string): string =>
    `SELECT ${VIEW_COLUMNS}, ${fields} FROM records r WHERE ${matching(active)}${behind} ORDER BY r.id LIMIT ${end}`;
  const fields = viewFields(shape);
  if (start === 'offset') {
    const end = `${PAGE_ROWS} OFFSET ${behindPlace('$5::bigint')}`;
    const skipping = `SELECT * FROM (${page('r.fields', ` AND ${FROM_PLACE}`, end)}) AS r LIMIT $3`;
    return `SELECT ${VIEW_COLUMNS}, ${fields} FROM (${skipping}) AS r OFFSET 0`;
  }
  const first = page(fields, start === 'after' ? ' AND r.id > $5' : '', `${PAGE_ROWS + 1}`);
  return `SELECT * FROM (${first}) AS r LIMIT $3`;
}

/**
 * $1 account, $2 object type, $3 most rows, $4 bytes, $5 the offset or the id of the record behind which the
 * page starts, where it does, then the names and the keys of extra properties, where the shape has some. One
 * row: how many records the page has (`found`), how many of them have $4 bytes at most (`fit`), the views of
 * these as JSON, joined by commas (`views`, null for none), the count of all records that match, and how many
 * of these it counted one by one. There is a statement for each start and for active records only, so that
 * each is planned for its own index.
 */
export const listStatement = (active: boolean, start: PageStart, shape: ViewShape): Statement =>
  madeStatement(`record_list_${active ? 'active' : 'all'}_${start}_${shapeName(shape)}`, () => {
    const view = recordViewText(shape, start === 'start' ? extrasAt(5) : extrasAt(6));
    // OFFSET 0 keeps PostgreSQL from making each view twice.
    return `WITH ${withCount(active, start)}
      SELECT page.found, page.fit, page.views, counted.count, counted.uncounted, ${RENAMED_USERS}
      FROM (SELECT count(*)::int AS found, count(view)::int AS fit, string_agg(view, ',' ORDER BY id) AS views
        FROM (SELECT r.id, CASE WHEN pg_column_size(r.fields) <= $4 THEN ${view} END AS view
          FROM (${rows(active, start, shape)}) AS r OFFSET 0) AS r) AS page, counted`;
  });

/** The parameters with the names and the keys of extra properties. */
const extrasAt = (first: number): { names: string; keys: string } => ({
  names: `$${first}`,
  keys: `$${first + 1}`,
});

/** The view of one row `r`, made once. */
const viewed = (shape: ViewShape): string =>
  `CROSS JOIN LATERAL (SELECT ${recordViewText(shape, extrasAt(6))} AS view
    FROM (SELECT ${VIEW_COLUMNS}, ${viewFields(shape)} OFFSET 0) AS r OFFSET 0) AS v`;

/**
 * As listStatement, for pages with large records: $4 the most bytes of the page, $5 the offset or the id, $6
 * and $7 the names and the keys of extra properties. Reads one record after the other until the page is full,
 * so that neither the database nor the process holds more. The view is null for the record that does not fit
 * any more; the first one always fits.
 */
export const walkStatement = (active: boolean, start: PageStart, objectType: ObjectType): Statement => {
  const first =
    start === 'after'
      ? `WHERE ${matching(active)} AND r.id > $5::uuid ORDER BY r.id LIMIT 1`
      : `WHERE ${matching(active)} AND ${FROM_PLACE} ORDER BY r.id LIMIT 1 OFFSET ${behindPlace('$5::bigint')}`;
  const view = viewed({ objectType, extras: undefined });
  return madeStatement(
    `record_walk_${active ? 'active' : 'all'}_${start === 'after' ? 'after' : 'offset'}_${objectType}`,
    () => `WITH RECURSIVE ${withCount(active, start === 'after' ? 'after' : 'offset')}, page AS (
        (SELECT 1 AS n, r.id, v.view, octet_length(v.view) + 1 AS bytes
          FROM (SELECT * FROM records r ${first}) AS r ${view})
        UNION ALL
        SELECT page.n + 1, r.id, v.view, page.bytes + octet_length(v.view) + 1
          FROM page
          CROSS JOIN LATERAL (SELECT * FROM records r WHERE ${matching(active)} AND r.id > page.id
            ORDER BY r.id LIMIT 1) AS r ${view}
          WHERE page.n < $3 AND (page.n = 1 OR page.bytes <= $4)
      )
      SELECT r.id, counted.count, counted.uncounted, CASE WHEN r.n = 1 OR r.bytes <= $4 THEN r.view END AS view, ${RENAMED_USERS}
      FROM page AS r, counted
      ORDER BY r.n`,
  );
};

/** $1 account, $2 object type. For a search without conditions. */
export const countStatement = (active: boolean): Statement => ({
  name: `record_count_${active ? 'active' : 'all'}`,
  text: countRecords(active),
});

/**
 * $1 account, $2 object type, $3 the id, or a key of an active record, then names and keys of extra
 * properties, where there are some.
 */
export const viewStatement = (shape: ViewShape, by: 'id' | KeyColumn = 'id'): Statement =>
  madeStatement(
    `record_view_${by === 'id' ? '' : `by_${by}_`}${shapeName(shape)}`,
    // OFFSET 0 keeps PostgreSQL from making the fields once for each value.
    () => `SELECT ${recordViewText(shape, extrasAt(4))}::json AS view, ${RECORD_VERSION} AS version, ${RENAMED_USERS}
      FROM (SELECT ${VIEW_COLUMNS}, ${viewFields(shape)} FROM records r
        WHERE r.account_id = $1 AND r.object_type = $2
          AND ${by === 'id' ? 'r.id = $3' : `r.${by} = $3::text AND r.archived_at IS NULL`} OFFSET 0) AS r`,
  );

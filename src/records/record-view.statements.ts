import { unknownWhenPlanned, type Statement } from '../database/index.js';
import { RENAMED_USERS } from '../directory/index.js';
import type { ObjectType } from '../fields/index.js';
import { PAGE_ROWS } from '../paging/index.js';
import { countRecords } from './counts/record-counts.statements.js';
import { madeStatement } from './made-statement.js';
import type { KeyColumn } from './record-key.js';
import { RECORD_VERSION } from './records.sql.js';
import { recordViewText, shapeName, VIEW_COLUMNS, viewFields, type ViewShape } from './record-view.sql.js';

/** Where a page starts: at an offset, or behind a record. */
export type PageStart = 'offset' | 'after';

const matching = (active: boolean, [account, type] = ['$1', '$2']): string =>
  `r.account_id = ${account} AND r.object_type = ${type}${active ? ' AND r.archived_at IS NULL' : ''}`;

const UNKNOWN_TYPE: [string, string] = [unknownWhenPlanned('$1::uuid'), unknownWhenPlanned('$2::text')];

/** A condition on a record `r`: it is at $5, an offset, or behind it, or behind the record with the id $5. */
const startsAt = (active: boolean, start: PageStart): string =>
  start === 'after'
    ? 'r.id > $5::uuid'
    : `r.id >= (SELECT r.id FROM records r WHERE ${matching(active, UNKNOWN_TYPE)} ORDER BY r.id
        OFFSET ${unknownWhenPlanned('$5::bigint')} LIMIT 1)`;

/** The number of all records that match; null unless the last parameter says that it is wanted. */
const countIf = (active: boolean, wanted: string): string =>
  `CASE WHEN ${wanted}::bool THEN ${countRecords(active)} END AS count`;

/**
 * $1 account, $2 object type, $3 most rows, $4 bytes, $5 the offset or the id of the record behind which the
 * page starts, $6 whether to count, then the names and the keys of extra properties, where the shape has
 * some. One row: how many records the page has (`found`), how many of them have $4 bytes at most (`fit`), the
 * views of these as JSON, joined by commas (`views`, null for none), and the count of all records that match.
 * There is a statement for each start and for active records only, so that each is planned for its own index.
 *
 * A page has a bound that PostgreSQL knows, beside $3, which it does not know when it plans for all values.
 * Without it, that plan expects a tenth of the records, so that each list is planned anew, which takes longer
 * than to run it (ADR 7).
 */
export const listStatement = (active: boolean, start: PageStart, shape: ViewShape): Statement =>
  madeStatement(`record_list_${active ? 'active' : 'all'}_${start}_${shapeName(shape)}`, () => {
    const page = `SELECT ${VIEW_COLUMNS}, ${viewFields(shape)} FROM records r
      WHERE ${matching(active)} AND ${startsAt(active, start)} ORDER BY r.id LIMIT ${PAGE_ROWS + 1}`;
    // OFFSET 0 keeps PostgreSQL from making each view twice.
    return `SELECT page.found, page.fit, page.views, ${countIf(active, '$6')}, ${RENAMED_USERS}
      FROM (SELECT count(*)::int AS found, count(view)::int AS fit, string_agg(view, ',' ORDER BY id) AS views
        FROM (SELECT r.id,
            CASE WHEN pg_column_size(r.fields) <= $4 THEN ${recordViewText(shape, extrasAt(7))} END AS view
          FROM (SELECT * FROM (${page}) AS r LIMIT $3) AS r OFFSET 0) AS r) AS page`;
  });

/** The parameters with the names and the keys of extra properties. */
const extrasAt = (first: number): { names: string; keys: string } => ({
  names: `$${first}`,
  keys: `$${first + 1}`,
});

/** The view of one row `r`, made once. */
const viewed = (shape: ViewShape): string =>
  `CROSS JOIN LATERAL (SELECT ${recordViewText(shape, extrasAt(7))} AS view
    FROM (SELECT ${VIEW_COLUMNS}, ${viewFields(shape)} OFFSET 0) AS r OFFSET 0) AS v`;

/**
 * As listStatement, for pages with large records: $4 the most bytes of the page, $7 and $8 the names and the
 * keys of extra properties. Reads one record after the other until the page is full, so that neither the
 * database nor the process holds more. The view is null for the record that does not fit any more; the first
 * one always fits.
 */
export const walkStatement = (active: boolean, start: PageStart, objectType: ObjectType): Statement => {
  const view = viewed({ objectType, extras: undefined });
  const first = (condition: string): string =>
    `(SELECT * FROM records r WHERE ${matching(active)} AND ${condition} ORDER BY r.id LIMIT 1)`;
  return madeStatement(
    `record_walk_${active ? 'active' : 'all'}_${start}_${objectType}`,
    () => `WITH RECURSIVE page AS (
        (SELECT 1 AS n, r.id, v.view, octet_length(v.view) + 1 AS bytes
          FROM ${first(startsAt(active, start))} AS r ${view})
        UNION ALL
        SELECT page.n + 1, r.id, v.view, page.bytes + octet_length(v.view) + 1
          FROM page CROSS JOIN LATERAL ${first('r.id > page.id')} AS r ${view}
          WHERE page.n < $3 AND (page.n = 1 OR page.bytes <= $4)
      )
      SELECT r.id, CASE WHEN r.n = 1 OR r.bytes <= $4 THEN r.view END AS view, ${countIf(active, '$6')}, ${RENAMED_USERS}
      FROM page AS r
      ORDER BY r.n`,
  );
};

/** $1 account, $2 object type. For a search without conditions. */
export const countStatement = (active: boolean): Statement => ({
  name: `record_count_${active ? 'active' : 'all'}`,
  text: `SELECT ${countRecords(active)} AS count`,
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
    { isBrief: true },
  );

import type { Statement } from '../database/index.js';
import { behindPlace, countRecords, findOffset, FROM_PLACE } from './counts/record-counts.sql.js';

/** Where a page starts: at the first record, at an offset, or behind a record. */
export type PageStart = 'start' | 'offset' | 'after';

const made = new Map<string, Statement>();

/** Returns the statement of that name, whose text is made once: the driver compares it at each use. */
function statement(name: string, text: () => string): Statement {
  const known = made.get(name) ?? { name, text: text() };
  made.set(name, known);
  return known;
}

/** Numbers of names that a statement reads without a subquery, whose planning costs more than these. */
const FEW_NAMES = [5, 10];

const ROW = 'r.id, r.object_type, r.archived_at, r.archived_by, r.created_at, r.updated_at';

/** The values of the first names, null for those that are missing. */
const few = (names: number): string =>
  `to_json(ARRAY[${Array.from({ length: names }, (_, index) => `r.fields ->> ($4::text[])[${index + 1}]`).join(', ')}])`;
const MANY = 'to_json(ARRAY(SELECT r.fields ->> name FROM unnest($4::text[]) AS name))';

/** Decompresses a value once, because each operator on a large value would do so again. */
const UNPACKED = `r.fields || '{}' AS fields`;

const matching = (active: boolean): string =>
  `r.account_id = $1 AND r.object_type = $2${active ? ' AND r.archived_at IS NULL' : ''}`;

/** Counts once, whatever number of rows the page has, and finds the place of an offset. */
const withCount = (active: boolean, start: PageStart): string =>
  `counted AS MATERIALIZED (${countRecords(active)})${
    start === 'offset' ? `, place AS MATERIALIZED (${findOffset(active, '$6::bigint')})` : ''
  }`;

/** The rows of a page. The rows that an offset skips are not unpacked. */
function rows(active: boolean, start: PageStart): string {
  const page = (fields: string, behind: string, end: string): string =>
    `SELECT ${ROW}, ${fields} FROM records r WHERE ${matching(active)}${behind} ORDER BY r.id LIMIT $3${end}`;
  if (start === 'start') return page(UNPACKED, '', '');
  if (start === 'after') return page(UNPACKED, ' AND r.id > $6', '');
  const skipping = page('r.fields', ` AND ${FROM_PLACE}`, ` OFFSET ${behindPlace('$6::bigint')}`);
  return `SELECT ${ROW}, ${UNPACKED} FROM (${skipping}) AS r OFFSET 0`;
}

/**
 * $1 account, $2 object type, $3 most rows, $4 names of the fields to read, $5 bytes, $6 the offset or the id
 * of the record behind which the page starts, where it does. Each row has the values of the names in `shown`,
 * the count of all records that match, and how many of these it counted one by one. `shown` is null where a
 * record has more than $5 bytes. A page without rows has no count. There is a statement for each start and
 * for active records only, so that each is planned for its own index.
 */
export const listStatement = (active: boolean, start: PageStart, names: number): Statement => {
  const most = FEW_NAMES.find((each) => names <= each);
  return statement(
    `record_list_${active ? 'active' : 'all'}_${start}_${most ?? 'many'}`,
    () => `WITH ${withCount(active, start)}
      SELECT ${ROW}, counted.count, counted.uncounted,
        CASE WHEN pg_column_size(r.fields) <= $5 THEN ${most === undefined ? MANY : few(most)} END AS shown
      FROM (${rows(active, start)}) AS r, counted
      ORDER BY r.id`,
  );
};

/** The values of one row `r` as text, made once. */
const VALUES = `CROSS JOIN LATERAL (SELECT ${MANY}::text AS shown
  FROM (SELECT ${UNPACKED} OFFSET 0) AS r OFFSET 0) AS v`;

/**
 * As listStatement, for pages with large records: $5 the most bytes of the page, $6 the offset or the id, $7
 * bytes of each row without its values. Reads one record after the other until the page is full, so that
 * neither the database nor the process holds more. `shown` is null for the record that does not fit any more;
 * the first one always fits.
 */
export const walkStatement = (active: boolean, start: PageStart): Statement => {
  const first =
    start === 'after'
      ? `WHERE ${matching(active)} AND r.id > $6::uuid ORDER BY r.id LIMIT 1`
      : `WHERE ${matching(active)} AND ${FROM_PLACE} ORDER BY r.id LIMIT 1 OFFSET ${behindPlace('$6::bigint')}`;
  return statement(
    `record_walk_${active ? 'active' : 'all'}_${start === 'after' ? 'after' : 'offset'}`,
    () => `WITH RECURSIVE ${withCount(active, start === 'after' ? 'after' : 'offset')}, page AS (
        (SELECT 1 AS n, ${ROW}, v.shown, octet_length(v.shown) + $7::int AS bytes
          FROM (SELECT * FROM records r ${first}) AS r ${VALUES})
        UNION ALL
        SELECT page.n + 1, ${ROW}, v.shown, page.bytes + octet_length(v.shown) + $7::int
          FROM page
          CROSS JOIN LATERAL (SELECT * FROM records r WHERE ${matching(active)} AND r.id > page.id
            ORDER BY r.id LIMIT 1) AS r ${VALUES}
          WHERE page.n < $3 AND (page.n = 1 OR page.bytes <= $5)
      )
      SELECT ${ROW}, counted.count, counted.uncounted,
        CASE WHEN r.n = 1 OR r.bytes <= $5 THEN r.shown::json END AS shown
      FROM page AS r, counted
      ORDER BY r.n`,
  );
};

/** $1 account, $2 object type. For a page without rows. */
export const countStatement = (active: boolean): Statement => ({
  name: `record_count_${active ? 'active' : 'all'}`,
  text: countRecords(active),
});

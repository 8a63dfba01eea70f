import type { Statement } from '../database/index.js';
import { RENAMED_USERS } from '../directory/index.js';
import {
  AFTER_ALL,
  ANY_ROUTER,
  ANY_USER,
  BEFORE_ALL,
  droppedEntries,
  foldedEntries,
  inTail,
  lastFolded,
  ofSeries,
  type SeriesKey,
} from './fold/series.sql.js';

/** The filters of the assignment log, and the column of each. */
const FILTERS = { router: 'router_id', object: 'object_id', user: 'user_email' } as const;
export type AssignmentFilter = keyof typeof FILTERS;

/** Where a page of the log starts: at an offset, or behind an entry. */
export type LogPageStart = 'offset' | 'after';

export const COLUMNS =
  'a.id, a.router_id, a.router_version, a.object_id, a.object_type, a.user_email, a.previous_user, a.reason, ' +
  'a.message, a.created_at';

const made = new Map<string, Statement>();

/**
 * Lists one page of the log, newest first, with the count of all that match. An empty page is one row with a
 * null id. There is one statement for each combination of filters, so that each is planned for its own index.
 * $1 account, $2 limit, $3 the least id that is counted, $4 the least id and $5 the one behind the greatest
 * that are shown, and then the offset, unless the page starts behind $5, and the values of the filters in
 * the order given. PostgreSQL opens the partitions of these ids only.
 *
 * Count and page are right where `counted_from` is no less than $3, `from` no less than $4, and `to` no
 * greater than $5. Otherwise they are with these values, unless the log has changed meanwhile.
 */
export function listAssignments(filters: readonly AssignmentFilter[], start: LogPageStart): Statement {
  const name = ['assignment_list', start, ...filters].join('_');
  const known = made.get(name) ?? { name, text: text(filters, start) };
  made.set(name, known);
  return known;
}

function text(filters: readonly AssignmentFilter[], start: LogPageStart): string {
  const offset = start === 'after' ? 0 : '$6::bigint';
  const parameter = (index: number): string => `$${index + (start === 'after' ? 6 : 7)}`;
  const narrowed = filters.map((filter, index) => ` AND a.${FILTERS[filter]} = ${parameter(index)}`).join('');
  const matching = `a.account_id = $1${narrowed}`;
  const shown = `${matching} AND ${IS_SHOWN}`;
  const newest = (where = ''): string =>
    `SELECT a.id FROM assignments a WHERE ${shown}${where} ORDER BY a.id DESC LIMIT $2 OFFSET ${offset}`;
  // The entries of one record are few, and may be in every month since it was made.
  if (filters.includes('object')) {
    return `WITH entry AS MATERIALIZED (SELECT a.id FROM assignments a WHERE ${matching} AND a.id >= $3::uuid),
      total AS (SELECT count(*) AS count, $3::uuid AS counted_from, $4::uuid AS "from", $5::uuid AS "to" FROM entry),
      page AS (SELECT a.id FROM entry a WHERE ${IS_SHOWN} ORDER BY a.id DESC LIMIT $2 OFFSET ${offset}) ${SHOWN}`;
  }
  const value = (filter: AssignmentFilter, any: string): string =>
    filters.includes(filter) ? parameter(filters.indexOf(filter)) : any;
  const series = { account: '$1', router: value('router', ANY_ROUTER), user: value('user', ANY_USER) };
  const counted = `WITH counted AS MATERIALIZED (SELECT ${foldedEntries(series)} AS folded, ${droppedEntries(series)} AS dropped,
        ${lastFolded('$1')} AS last_id,
        (SELECT count(*) FROM assignments a WHERE ${matching} AND a.id >= $3::uuid AND ${inTail('a.id', '$1')}) AS tail)`;
  const total = `SELECT folded - counted.dropped + tail AS count, last_id AS counted_from,`;
  if (start === 'after') {
    return `${counted}, page AS MATERIALIZED (${newest()}),
      total AS (${total} CASE WHEN (SELECT count(*) FROM page) = $2 THEN $4::uuid ELSE ${BEFORE_ALL} END AS "from",
        $5::uuid AS "to" FROM counted)
      ${SHOWN}`;
  }
  // The second limit tells the planner how few rows there are.
  return `${counted}, place AS MATERIALIZED (${placeOf(series)}),
    page AS MATERIALIZED (SELECT id
      FROM ((${newest(' AND (SELECT is_near FROM place)')}) UNION ALL (${deepPage(shown)})) AS either
      LIMIT $2),
    total AS (${total} ${rangeOf('(SELECT count(*) FROM page)', series)} FROM counted CROSS JOIN place)
    ${SHOWN}`;
}

/** A condition: an entry may be shown. */
const IS_SHOWN = `a.id >= $4::uuid AND a.id < $5::uuid`;

/**
 * The place of a page: `above` is the number of entries of the series at which it starts, `below` that at
 * which it ends, both with those that were dropped. `before` is the number before the first entry that is
 * left of the block in which it ends, `first_id` no greater than its id. It is near where less lies between
 * it and the newest entry than between it and that entry.
 */
const placeOf = (series: SeriesKey): string =>
  `SELECT ends.above, ends.below, block.before, block.first_id,
      $6::bigint <= greatest(ends.tail, COALESCE(ends.below - block.before, $6::bigint)) AS is_near
    FROM (SELECT tail, dropped, greatest(folded + tail - $6::bigint, dropped) AS above,
        greatest(folded + tail - $6::bigint - $2::bigint, dropped) AS below
      FROM counted) AS ends
    LEFT JOIN LATERAL (SELECT greatest(b.before, ends.dropped) AS before, b.first_id FROM assignment_blocks b
      WHERE ${ofSeries(series)} AND b.before <= ends.below ORDER BY b.before DESC LIMIT 1) AS block ON true`;

/** The ids of a page that is not near: walks forward from the start of the block in which it ends. */
const deepPage = (shown: string): string =>
  `SELECT entry.id FROM place CROSS JOIN LATERAL (
      SELECT a.id FROM assignments a WHERE ${shown} AND a.id >= place.first_id ORDER BY a.id
      OFFSET place.below - place.before LIMIT place.above - place.below) AS entry
    WHERE NOT place.is_near AND place.first_id >= $4::uuid`;

/**
 * The ids between which a page lies. A near one that has all its rows is where it was read. The block behind
 * that of a deep one is read of the blocks.
 */
const rangeOf = (rows: string, series: SeriesKey): string =>
  `CASE WHEN is_near AND ${rows} = above - below THEN $4::uuid ELSE COALESCE(first_id, ${BEFORE_ALL}) END AS "from",
    CASE WHEN is_near THEN ${AFTER_ALL} ELSE COALESCE((SELECT b.first_id FROM assignment_blocks b
      WHERE ${ofSeries(series)} AND b.before >= above ORDER BY b.before LIMIT 1), ${AFTER_ALL}) END AS "to"`;

/**
 * The rows of the relations `total` and `page`. LIMIT makes PostgreSQL look each up by its id, however many
 * it expects.
 */
const SHOWN = `SELECT total.count::int AS count, total.counted_from, total."from", total."to", ${RENAMED_USERS}, a.*
    FROM total LEFT JOIN page ON true
    LEFT JOIN LATERAL (SELECT ${COLUMNS} FROM assignments a
      WHERE a.account_id = $1 AND a.id = page.id AND ${IS_SHOWN} LIMIT 1) AS a ON true
    ORDER BY a.id DESC`;

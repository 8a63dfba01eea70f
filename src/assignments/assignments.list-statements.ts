import type { Statement } from '../database/index.js';
import { renamedUsers } from '../directory/index.js';
import {
  ANY_ROUTER,
  ANY_USER,
  droppedEntries,
  foldedEntries,
  inTail,
  ofSeries,
  type SeriesKey,
} from './fold/series.sql.js';

/** The filters of the assignment log, and the column of each. */
const FILTERS = { router: 'router_id', object: 'object_id', user: 'user_email' } as const;
export type AssignmentFilter = keyof typeof FILTERS;

/** Where a page of the log starts: at an offset, or behind an entry. */
export type LogPageStart = 'offset' | 'after';

export const COLUMNS =
  'a.id, a.router_id, a.object_id, a.object_type, a.user_email, a.previous_user, a.reason, a.message, a.created_at';

/** For the e-mails of users, whom entries give their stored names. $1 account. */
export const RENAMED = `${renamedUsers('$1')} AS renamed`;

const made = new Map<string, Statement>();

/**
 * Lists one page of the log, newest first, with the count of all that match. An empty page is one row with a
 * null id. There is one statement for each combination of filters, so that each is planned for its own index.
 * $1 account, $2 limit, $3 the offset or the id behind which the page starts, from $4 the values of the
 * filters in the order given.
 */
export function listAssignments(filters: readonly AssignmentFilter[], start: LogPageStart): Statement {
  const name = ['assignment_list', start, ...filters].join('_');
  const known = made.get(name) ?? { name, text: text(filters, start) };
  made.set(name, known);
  return known;
}

function text(filters: readonly AssignmentFilter[], start: LogPageStart): string {
  const narrowed = filters.map((filter, index) => ` AND a.${FILTERS[filter]} = $${index + 4}`).join('');
  const matching = `a.account_id = $1${narrowed}`;
  const newest = (where: string, end: string): string =>
    `SELECT a.id FROM assignments a WHERE ${matching}${where} ORDER BY a.id DESC LIMIT $2${end}`;
  const page = start === 'after' ? newest(' AND a.id < $3', '') : newest('', ' OFFSET $3');
  // The entries of one record are few.
  if (filters.includes('object')) {
    return `WITH total AS (SELECT count(*) AS count FROM assignments a WHERE ${matching}), page AS (${page})
      ${SHOWN}`;
  }
  const value = (filter: AssignmentFilter, any: string): string =>
    filters.includes(filter) ? `$${filters.indexOf(filter) + 4}` : any;
  const series = { account: '$1', router: value('router', ANY_ROUTER), user: value('user', ANY_USER) };
  const counted = `WITH counted AS MATERIALIZED (SELECT ${foldedEntries(series)} AS folded, ${droppedEntries(series)} AS dropped,
        (SELECT count(*) FROM assignments a WHERE ${matching} AND ${inTail('a.id', '$1')}) AS tail),
      total AS (SELECT folded - dropped + tail AS count FROM counted)`;
  if (start === 'after') return `${counted}, page AS (${page}) ${SHOWN}`;
  // The second limit tells the planner how few rows there are.
  return `${counted}, place AS MATERIALIZED (${placeOf(series)}), page AS (SELECT id
      FROM ((${newest(' AND (SELECT is_near FROM place)', ' OFFSET $3')})
        UNION ALL (${deepPage(matching)})) AS either
      LIMIT $2)
      ${SHOWN}`;
}

/**
 * The place of a page: `above` is the number of entries of the series at which it starts, `below` that at
 * which it ends, both with those that were dropped. `before` is the number before the first entry that is
 * left of the block in which it ends, `first_id` no greater than its id. It is near where less lies between
 * it and the newest entry than between it and that entry.
 */
const placeOf = (series: SeriesKey): string =>
  `SELECT ends.above, ends.below, block.before, block.first_id,
      $3::bigint <= greatest(ends.tail, COALESCE(ends.below - block.before, $3::bigint)) AS is_near
    FROM (SELECT tail, dropped, greatest(folded + tail - $3::bigint, dropped) AS above,
        greatest(folded + tail - $3::bigint - $2::bigint, dropped) AS below
      FROM counted) AS ends
    LEFT JOIN LATERAL (SELECT greatest(b.before, ends.dropped) AS before, b.first_id FROM assignment_blocks b
      WHERE ${ofSeries(series)} AND b.before <= ends.below ORDER BY b.before DESC LIMIT 1) AS block ON true`;

/** The ids of a page that is not near: walks forward from the start of the block in which it ends. */
const deepPage = (matching: string): string =>
  `SELECT entry.id FROM place CROSS JOIN LATERAL (
      SELECT a.id FROM assignments a WHERE ${matching} AND a.id >= place.first_id ORDER BY a.id
      OFFSET place.below - place.before LIMIT place.above - place.below) AS entry
    WHERE NOT place.is_near`;

/**
 * The rows of the relations `total` and `page`. LIMIT makes PostgreSQL look each up by its id, however many
 * it expects.
 */
const SHOWN = `SELECT total.count::int AS count, ${RENAMED}, a.*
    FROM total LEFT JOIN page ON true
    LEFT JOIN LATERAL (SELECT ${COLUMNS} FROM assignments a
      WHERE a.account_id = $1 AND a.id = page.id LIMIT 1) AS a ON true
    ORDER BY a.id DESC`;

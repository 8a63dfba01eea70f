import { unknownWhenPlanned, type Statement } from '../database/index.js';
import { emailOf } from '../directory/index.js';

const FILTERS = { router: 'router_id', object: 'object_id', user: 'user_id' } as const;
export type AssignmentFilter = keyof typeof FILTERS;

/** Where a page of the log starts: at an offset, or behind an entry. */
export type LogPageStart = 'offset' | 'after';

/** The columns of an entry `a` of the account $1, with the e-mails that its users have now. */
export const COLUMNS = `a.id, a.router_id, a.router_version, a.rule, a.step, a.object_id, a.object_type,
      ${emailOf('$1', 'a.user_id')} AS "user", ${emailOf('$1', 'a.previous_user_id')} AS previous_user,
      a.reason, a.message, a.created_at`;

/** The account $1, which PostgreSQL must not take for one with few entries, as old statistics may say. */
export const ACCOUNT = unknownWhenPlanned('$1::uuid');
const MOST = unknownWhenPlanned('$2::bigint');

/** Less than any id that is made on a day. Ids begin with the milliseconds of their instant. */
const firstIdOf = (day: string): string =>
  `(lpad(to_hex((${day} - date '1970-01-01')::bigint * 86400000), 12, '0') || repeat('0', 20))::uuid`;

/**
 * Lists one page of the log, newest first, with the count of all that match. An empty page is one row with a
 * null id. There is one statement for each combination of filters, so that each is planned for its own index.
 * $1 account, $2 limit, $3 the offset, or the id behind which the page starts, and then the values of the
 * filters in the order given.
 */
export function listAssignments(filters: readonly AssignmentFilter[], start: LogPageStart): Statement {
  return { name: ['assignment_list', start, ...filters].join('_'), text: text(filters, start) };
}

function text(filters: readonly AssignmentFilter[], start: LogPageStart): string {
  // The counts do not know records, and the entries of one record are few.
  const isByObject = filters.includes('object');
  const where = (table: string): string =>
    [
      `${table}.account_id = ${ACCOUNT}`,
      ...filters.map((filter, index) => {
        const condition = `${table}.${FILTERS[filter]} = $${index + 4}`;
        // For a test of a condition no index is of use, so that the one of records is left.
        return isByObject && filter !== 'object' ? `(${condition}) IS TRUE` : condition;
      }),
    ].join(' AND ');
  const isByDay = start === 'offset' && !isByObject;
  const total = isByObject
    ? `SELECT count(*) AS count FROM assignments a WHERE ${where('a')}`
    : `SELECT COALESCE(sum(d.entries), 0) AS count FROM assignment_days d WHERE ${where('d')} AND d.day = 'infinity'`;
  const bound = start === 'after' ? 'AND a.id < $3::uuid' : isByDay ? `AND ${IS_BEFORE_PLACE}` : '';
  const offset = start === 'after' ? '0' : isByDay ? INSIDE : '$3::bigint';
  return `WITH ${isByDay ? placeOf(where('d')) : ''}
    page AS MATERIALIZED (SELECT found.id FROM (SELECT a.id FROM assignments a WHERE ${where('a')} ${bound}
      ORDER BY a.id DESC LIMIT ${MOST} OFFSET ${offset}) AS found LIMIT ${LARGEST})
    SELECT total.count::int AS count, entry.*
    FROM (${total}) AS total LEFT JOIN page ON true
    LEFT JOIN LATERAL (SELECT ${COLUMNS} FROM assignments a
      WHERE a.account_id = $1 AND a.id = page.id LIMIT 1) AS entry ON true
    ORDER BY entry.id DESC`;
}

/** No page has more rows. Otherwise the planner expects a tenth of the log. */
const LARGEST = 101;

/** The day in which the page starts, and the number of entries of later days. */
const placeOf = (where: string): string =>
  `place AS MATERIALIZED (SELECT walked.day, walked.before
      FROM (SELECT d.day, sum(d.entries) AS entries, sum(sum(d.entries)) OVER (ORDER BY d.day DESC) - sum(d.entries) AS before
        FROM assignment_days d WHERE ${where} AND d.day < 'infinity' GROUP BY d.day) AS walked
      WHERE $3::bigint >= walked.before AND $3::bigint < walked.before + walked.entries),`;
const IS_BEFORE_PLACE = `a.id < ${firstIdOf('(SELECT day + 1 FROM place)')}`;
const INSIDE = '(SELECT $3::bigint - before FROM place)';

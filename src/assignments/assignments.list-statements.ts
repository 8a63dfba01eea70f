import { GREATEST_ID, type Statement } from '../database/index.js';
import { emailOf } from '../directory/index.js';
import { firstIdOf, LogParts, type LogForm } from './log-parts.js';

/** Where a page of the log starts: at an offset, or behind an entry. */
export type LogPageStart = 'offset' | 'after';

/** The columns of an entry `a` of the account $1, with the e-mails that its users have now. */
export const COLUMNS = `a.id, a.router_id, a.router_version, a.rule, a.step, a.object_id, a.object_type,
      ${emailOf('$1', 'a.user_id')} AS "user", ${emailOf('$1', 'a.previous_user_id')} AS previous_user,
      a.reason, a.message, a.created_at`;

/**
 * Lists one page of the log, newest first, with the count of all that match. An empty page is one row with a
 * null id. There is one statement for each combination of filters, so that each is planned for its own index.
 * $1 account, $2 limit, $3 the offset, or the id behind which the page starts, and then the values of the
 * filters (`valuesOf`).
 */
export function listAssignments(form: LogForm, start: LogPageStart): Statement {
  const parts = new LogParts(form);
  return { name: ['assignment_list', start, parts.name].filter(Boolean).join('_'), text: text(parts, start) };
}

function text(parts: LogParts, start: LogPageStart): string {
  const isByDay = start === 'offset' && !parts.isByObject;
  const last = parts.bounds?.to ?? `'${GREATEST_ID}'::uuid`;
  const to = start === 'after' ? '$3::uuid' : isByDay ? below(last) : last;
  const skipped = start === 'after' ? '0' : isByDay ? INSIDE : '$3::bigint';
  return `${parts.start}, counted AS (${parts.counts('all')}),
    ${isByDay ? placeOf(parts.counts('each')) : ''}
    page AS MATERIALIZED (SELECT found.id FROM (${parts.page(to, skipped)}) AS found LIMIT ${LARGEST})
    SELECT total.count::int AS count, entry.*
    FROM (SELECT COALESCE(sum(entries), 0) AS count FROM counted) AS total LEFT JOIN page ON true
    LEFT JOIN LATERAL (SELECT ${COLUMNS} FROM assignments a
      WHERE a.account_id = $1 AND a.id = page.id LIMIT 1) AS entry ON true
    ORDER BY entry.id DESC`;
}

/** No page has more rows. Otherwise the planner expects a tenth of the log. */
const LARGEST = 101;

/** The day in which the page starts, and the number of entries of later days. */
const placeOf = (counts: string): string =>
  `place AS MATERIALIZED (SELECT walked.day, walked.before
      FROM (SELECT d.day, sum(d.entries) AS entries, sum(sum(d.entries)) OVER (ORDER BY d.day DESC) - sum(d.entries) AS before
        FROM (${counts}) AS d GROUP BY d.day) AS walked
      WHERE $3::bigint >= walked.before AND $3::bigint < walked.before + walked.entries),`;
const below = (last: string): string => `(SELECT LEAST(${firstIdOf('(day + 1)')}, ${last}) FROM place)`;
const INSIDE = '(SELECT $3::bigint - before FROM place)';

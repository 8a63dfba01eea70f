import { GREATEST_ID, type Statement } from '../database/index.js';
import { emailOf } from '../directory/index.js';
import { firstIdOf, type LogQuery } from './log-query.js';

/** The columns of an entry `a` of the account $1, with the e-mails that its users have now. */
export const COLUMNS = `a.id, a.router_id, a.router_version, a.rule, a.step, a.object_id, a.object_type,
      ${emailOf('$1', 'a.user_id')} AS "user", ${emailOf('$1', 'a.previous_user_id')} AS previous_user,
      a.reason, a.message, a.created_at`;

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

/**
 * Lists one page of the log, newest first, with the count of all that match. An empty page is one row with a
 * null id. $3 is the offset, or the id behind which the page starts.
 */
export function listAssignments(query: LogQuery, start: 'offset' | 'after'): Statement {
  const isByDay = start === 'offset' && !query.isByObject;
  const last = query.bounds?.to ?? `'${GREATEST_ID}'::uuid`;
  const to = start === 'after' ? '$3::uuid' : isByDay ? below(last) : last;
  const skipped = start === 'after' ? '0' : isByDay ? INSIDE : '$3::bigint';
  return {
    name: query.name('assignment_list', start),
    text: `${query.start}, counted AS (${query.counts('all')}),
    ${isByDay ? placeOf(query.counts('each')) : ''}
    page AS MATERIALIZED (SELECT found.id FROM (${query.page(to, skipped)}) AS found LIMIT ${LARGEST})
    SELECT total.count::int AS count, entry.*
    FROM (SELECT COALESCE(sum(entries), 0) AS count FROM counted) AS total LEFT JOIN page ON true
    LEFT JOIN LATERAL (SELECT ${COLUMNS} FROM assignments a
      WHERE a.account_id = $1 AND a.id = page.id LIMIT 1) AS entry ON true
    ORDER BY entry.id DESC`,
  };
}

/** By what the log is summed up: each with what its lines have in common, and how that is shown. */
const VALUES = {
  user: ['user_id', emailOf('$1', 'line.common')],
  rule: ['rule', `NULLIF(line.common, '')`],
  reason: ['reason', 'line.common'],
  day: ['day', 'line.common::text'],
  /** For other rooms. */
  router: ['router_id', 'line.common::text'],
} as const;

/** What lines of a summary may have in common. */
export type SummaryValue = keyof typeof VALUES;
/** What of it requests ask for. */
export type SummaryBy = (typeof SUMMARY_BY)[number];
export const SUMMARY_BY = ['user', 'rule', 'reason', 'day'] as const satisfies readonly SummaryValue[];

/**
 * Counts the entries that match, by what they have in common, those with the most entries first, days in
 * their order, with what all have. $2 is the most lines, $3 the reasons of refusals.
 */
export function summarizeAssignments(query: LogQuery, by: SummaryValue): Statement {
  const [column, shown] = VALUES[by];
  const order = by === 'day' ? 'line.common' : 'line.assigned + line.refused DESC, line.common';
  const refused = 'counted.reason = ANY ($3::text[])';
  const sum = (where: string): string => `COALESCE(sum(counted.entries) FILTER (WHERE ${where}), 0)`;
  return {
    name: query.name('assignment_sum', by),
    text: `${query.start} SELECT ${shown} AS value, line.assigned::int, line.refused::int,
        line.all_assigned::int AS "allAssigned", line.all_refused::int AS "allRefused"
      FROM (SELECT summed.*, sum(assigned) OVER () AS all_assigned, sum(refused) OVER () AS all_refused
        FROM (SELECT counted.${column} AS common, ${sum(`NOT ${refused}`)} AS assigned, ${sum(refused)} AS refused
          FROM (${query.counts(by === 'day' ? 'each' : 'all')}) AS counted GROUP BY 1) AS summed
        ORDER BY ${order.replaceAll('line.', '')} LIMIT $2) AS line
      ORDER BY ${order}`,
  };
}

/** What a trace says of the turns: those who were present, with the numbers that decided. */
const DISTRIBUTIONS = `(SELECT json_agg(json_build_array(
        said.part -> 'among', said.part -> 'chosen', said.part -> 'columns', said.part -> 'rows'))
      FROM json_array_elements(t.trace) AS said (part) WHERE said.part ->> 'step' = 'distribution')`;

/**
 * Reads the newest entries that match, with what their traces say of turns, where they are kept. $3 is the id
 * behind which they start.
 */
export function readTurns(query: LogQuery): Statement {
  return {
    name: query.name('assignment_turns'),
    text: `${query.start}, page AS MATERIALIZED (${query.page('$3::uuid', '0')})
      SELECT a.id, a.rotation, a.created_at AS at, a.returned_at IS NOT NULL AS returned,
        ${emailOf('$1', 'a.user_id')} AS "user", CASE WHEN a.rotation IS NOT NULL THEN ${DISTRIBUTIONS} END AS steps
      FROM page
      JOIN LATERAL (SELECT * FROM assignments e WHERE e.account_id = $1 AND e.id = page.id LIMIT 1) AS a ON true
      LEFT JOIN LATERAL (SELECT r.trace FROM assignment_traces r
        WHERE r.account_id = $1 AND r.id = page.id LIMIT 1) AS t ON true
      ORDER BY a.id DESC`,
  };
}

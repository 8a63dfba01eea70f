import type { Statement } from '../database/index.js';
import { emailOf } from '../directory/index.js';
import { LogParts, type LogForm } from './log-parts.js';

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
 * their order, with what all have. $1 account, $2 most lines, $3 reasons of refusals, and then the values of
 * the filters (`valuesOf`).
 */
export function summarizeAssignments(form: LogForm, by: SummaryValue): Statement {
  const parts = new LogParts(form);
  const [column, shown] = VALUES[by];
  const order = by === 'day' ? 'line.common' : 'line.assigned + line.refused DESC, line.common';
  const refused = 'counted.reason = ANY ($3::text[])';
  const sum = (where: string): string => `COALESCE(sum(counted.entries) FILTER (WHERE ${where}), 0)`;
  return {
    name: ['assignment_sum', by, parts.name].filter(Boolean).join('_'),
    text: `${parts.start} SELECT ${shown} AS value, line.assigned::int, line.refused::int,
        line.all_assigned::int AS "allAssigned", line.all_refused::int AS "allRefused"
      FROM (SELECT summed.*, sum(assigned) OVER () AS all_assigned, sum(refused) OVER () AS all_refused
        FROM (SELECT counted.${column} AS common, ${sum(`NOT ${refused}`)} AS assigned, ${sum(refused)} AS refused
          FROM (${parts.counts(by === 'day' ? 'each' : 'all')}) AS counted GROUP BY 1) AS summed
        ORDER BY ${order.replaceAll('line.', '')} LIMIT $2) AS line
      ORDER BY ${order}`,
  };
}

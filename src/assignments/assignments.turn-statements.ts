import type { Statement } from '../database/index.js';
import { emailOf } from '../directory/index.js';
import { LogParts, type LogForm } from './log-parts.js';

/** What a trace says of the turns: those who were present, with the numbers that decided. */
const DISTRIBUTIONS = `(SELECT json_agg(json_build_array(
        said.part -> 'among', said.part -> 'chosen', said.part -> 'columns', said.part -> 'rows'))
      FROM json_array_elements(t.trace) AS said (part) WHERE said.part ->> 'step' = 'distribution')`;

/**
 * Reads the newest entries that match, with what their traces say of turns, where they are kept. $1 account,
 * $2 limit, $3 the id behind which they start, and then the values of the filters (`valuesOf`).
 */
export function readTurns(form: LogForm): Statement {
  const parts = new LogParts(form);
  return {
    name: ['assignment_turns', parts.name].filter(Boolean).join('_'),
    text: `${parts.start}, page AS MATERIALIZED (${parts.page('$3::uuid', '0')})
      SELECT a.id, a.rotation, a.created_at AS at, a.returned_at IS NOT NULL AS returned,
        ${emailOf('$1', 'a.user_id')} AS "user", CASE WHEN a.rotation IS NOT NULL THEN ${DISTRIBUTIONS} END AS steps
      FROM page
      JOIN LATERAL (SELECT * FROM assignments e WHERE e.account_id = $1 AND e.id = page.id LIMIT 1) AS a ON true
      LEFT JOIN LATERAL (SELECT r.trace FROM assignment_traces r
        WHERE r.account_id = $1 AND r.id = page.id LIMIT 1) AS t ON true
      ORDER BY a.id DESC`,
  };
}

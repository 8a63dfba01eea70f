import type { Statement } from '../database/index.js';
import {
  AFTER_ALL,
  ANY_ROUTER,
  BEFORE_ALL,
  firstIdOf,
  foldedEntries,
  millisecondsOf,
  ofSeries,
} from './fold/series.sql.js';

/** The spans of the windows, and what is later than their end. */
export const COUNTED_SPANS = ['hour', 'day', 'week', 'month', 'later'] as const;

const SERIES = { account: '$1', router: ANY_ROUTER, user: 'person.email' };
const OF_PERSON = 'a.account_id = $1 AND a.user_email = person.email AND a.id >= $9::uuid';
const SINCE = millisecondsOf('span.since');

/** The least ids of entries that may count, and of entries that count whatever their `created_at` is. */
const MAY_COUNT = firstIdOf(`${SINCE} - fold.early_ms`);
const COUNTS = firstIdOf(`${SINCE} + 1 + fold.late_ms`);

/**
 * $1 account, then arrays of the same length: $2 e-mails, $3 to $7 an instant for each span, or null; $8 the
 * end of the windows, or null; $9 no greater than the id of any entry that counts, which tells PostgreSQL
 * which partitions it need not open. Counts the assignments of each user at each instant or later, by
 * `created_at`, without those that were returned until the end.
 *
 * An id tells when its entry was written, at most `late_ms` after `created_at` or `early_ms` before it. So
 * the blocks that begin `late_ms` after the instant count as a whole (`block` is the first). The entries
 * before that block are counted by their ids (`edge`, half a block on average), `created_at` is read of those
 * of about that instant (`near`) and of the tail.
 */
export const COUNT_ASSIGNED: Statement = {
  name: 'assignment_count_assigned',
  text: `SELECT person.email, span.name AS span,
      (COALESCE(folded.entries - block.before, 0) + edge.entries + near.entries + span.unfolded)::int AS count
    FROM (SELECT COALESCE(f.last_id, ${BEFORE_ALL}) AS last_id, COALESCE(f.late_ms, 0) AS late_ms,
        COALESCE(f.early_ms, 0) AS early_ms
      FROM (VALUES (1)) AS one LEFT JOIN assignment_folds f ON f.account_id = $1) AS fold
    CROSS JOIN unnest($2::text[], ${COUNTED_SPANS.map((_, index) => `$${index + 3}::timestamptz[]`).join(', ')})
      AS person (email, ${COUNTED_SPANS.join(', ')})
    CROSS JOIN LATERAL (SELECT ${foldedEntries(SERIES)} AS entries OFFSET 0) AS folded
    CROSS JOIN LATERAL (
      SELECT ${COUNTED_SPANS.map((span) => `count(*) FILTER (WHERE a.created_at >= person.${span}) AS ${span}`).join(', ')}
      FROM assignments a WHERE ${OF_PERSON} AND a.id > fold.last_id) AS tail
    CROSS JOIN LATERAL (
      SELECT ${COUNTED_SPANS.map((span) => `count(*) FILTER (WHERE r.assigned_at >= person.${span}) AS ${span}`).join(', ')}
      FROM returned_assignments r
      WHERE r.account_id = $1 AND r.user_email = person.email
        AND r.assigned_at >= LEAST(${COUNTED_SPANS.map((span) => `person.${span}`).join(', ')})
        AND ($8::timestamptz IS NULL OR r.returned_at <= $8::timestamptz)) AS returned
    CROSS JOIN LATERAL (VALUES ${COUNTED_SPANS.map((span) => `('${span}', person.${span}, tail.${span} - returned.${span})`).join(', ')})
      AS span (name, since, unfolded)
    LEFT JOIN LATERAL (SELECT b.before, b.first_id FROM assignment_blocks b
      WHERE ${ofSeries(SERIES)} AND b.first_id >= ${COUNTS} ORDER BY b.first_id LIMIT 1) AS block ON true
    CROSS JOIN LATERAL (SELECT count(*) AS entries FROM assignments a
      WHERE ${OF_PERSON} AND a.id >= ${COUNTS} AND a.id < COALESCE(block.first_id, ${AFTER_ALL})
        AND a.id <= fold.last_id) AS edge
    CROSS JOIN LATERAL (SELECT count(*) AS entries FROM assignments a
      WHERE ${OF_PERSON} AND a.id >= ${MAY_COUNT} AND a.id < ${COUNTS} AND a.id <= fold.last_id
        AND a.created_at >= span.since) AS near
    WHERE span.since IS NOT NULL`,
};

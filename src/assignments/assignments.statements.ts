import type { Statement } from '../database/index.js';

/** The filters of the assignment log, and the column of each. */
const FILTERS = { router: 'router_id', object: 'object_id', user: 'user_email' } as const;
export type AssignmentFilter = keyof typeof FILTERS;

const COLUMNS =
  'id, router_id, object_id, object_type, user_email, previous_user, reason, message, created_at';

/**
 * Lists one page of the log, newest first, with the count of all that match. An empty page is one row with a
 * null id. There is one statement for each combination of filters, so that each is planned for its own index.
 * $1 account, $2 limit, $3 offset, from $4 the values of the filters in the order given.
 */
export function listAssignments(filters: readonly AssignmentFilter[]): Statement {
  const narrowed = filters.map((filter, index) => ` AND ${FILTERS[filter]} = $${index + 4}`).join('');
  const where = `WHERE account_id = $1${narrowed}`;
  return {
    name: ['assignment_list', ...filters].join('_'),
    text: `SELECT total.count, page.*
      FROM (SELECT count(*)::int AS count FROM assignments ${where}) AS total
      LEFT JOIN LATERAL (SELECT ${COLUMNS} FROM assignments ${where}
        ORDER BY id DESC LIMIT $2 OFFSET $3) AS page ON true
      ORDER BY page.id DESC`,
  };
}

/** $1 account, $2 least id, $3 first id that keeps its trace, $4 most rows. */
export const DROP_TRACES: Statement = {
  name: 'assignment_drop_traces',
  text: `WITH old AS (SELECT id FROM assignments
      WHERE account_id = $1 AND id >= $2 AND id < $3 AND trace IS NOT NULL ORDER BY id LIMIT $4
      FOR UPDATE SKIP LOCKED)
    UPDATE assignments SET trace = NULL FROM old
    WHERE assignments.account_id = $1 AND assignments.id = old.id RETURNING assignments.id`,
};

/** $1 account, $2 id. */
export const FIND_ASSIGNMENT: Statement = {
  name: 'assignment_find',
  text: `SELECT ${COLUMNS}, trace FROM assignments WHERE account_id = $1 AND id = $2`,
};

/**
 * $1 account, then arrays of the same length: $2 e-mails, $3 to $6 the starts of their hour, day, week and
 * month, $7 the least id that an assignment of the earliest of these can have. Ids sort by time, so the index
 * is enough. $8 is the instant of a simulation, which counts nothing later, or null for a dispatch, which
 * counts all that is committed.
 */
export const COUNT_ASSIGNED: Statement = {
  name: 'assignment_count_assigned',
  text: `SELECT span.email,
      count(*) FILTER (WHERE a.created_at >= span.hour)::int AS hour,
      count(*) FILTER (WHERE a.created_at >= span.day)::int AS day,
      count(*) FILTER (WHERE a.created_at >= span.week)::int AS week,
      count(*) FILTER (WHERE a.created_at >= span.month)::int AS month
    FROM unnest($2::text[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[], $7::uuid[])
      AS span (email, hour, day, week, month, first_id)
    JOIN assignments a ON a.account_id = $1 AND a.user_email = span.email AND a.id >= span.first_id
      AND a.created_at <= COALESCE($8::timestamptz, 'infinity')
    GROUP BY span.email`,
};

/**
 * $1 account, $2 object, $3 routers. Reads the last assignment by these routers that assigned the record to
 * somebody, if its turn has not been returned. It takes no locks, because its result says which router to
 * lock.
 */
export const FIND_LAST_TURN: Statement = {
  name: 'assignment_find_last_turn',
  text: `SELECT last.id, last.router_id AS "routerId", last.user_email AS "user", last.created_at AS at,
      last.turn ->> 'scope' AS "rotationKey", last.turn ->> 'team' AS team
    FROM (SELECT * FROM assignments
      WHERE account_id = $1 AND object_id = $2 AND router_id = ANY ($3::uuid[]) AND user_email IS NOT NULL
      ORDER BY id DESC LIMIT 1) AS last
    WHERE last.turn IS NOT NULL`,
};

/** $1 account, $2 assignment. Returns no row for a turn that was returned before. */
export const MARK_TURN_RETURNED: Statement = {
  name: 'assignment_mark_turn_returned',
  text: 'UPDATE assignments SET turn = NULL WHERE account_id = $1 AND id = $2 AND turn IS NOT NULL RETURNING id',
};

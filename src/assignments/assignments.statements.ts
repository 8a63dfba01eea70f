import type { Statement } from '../database/index.js';

/** What the log can be narrowed by, and the column of each. */
const FILTERS = { router: 'router_id', object: 'object_id', user: 'user_email' } as const;
export type LogFilter = keyof typeof FILTERS;

const COLUMNS =
  'id, router_id, object_id, object_type, user_email, previous_user, reason, message, created_at';

/**
 * One page of the log, newest first, with the count of all that match: a row with a null id on an empty page. One
 * statement for each combination of filters, so that each is planned for its own index.
 * $1 account, $2 limit, $3 offset, from $4 the values of the filters in the order given.
 */
export function listAssignments(filters: readonly LogFilter[]): Statement {
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

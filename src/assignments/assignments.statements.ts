import { importLock, type Statement } from '../database/index.js';
import { COLUMNS } from './assignments.list-statements.js';

/** $1 account, $2 id. */
export const FIND_ASSIGNMENT: Statement = {
  name: 'assignment_find',
  text: `SELECT ${COLUMNS}, t.trace FROM assignments a
    LEFT JOIN assignment_traces t ON t.account_id = $1 AND t.id = $2
    WHERE a.account_id = $1 AND a.id = $2`,
};

/** $1 account, $2 router, $3 ids of records. Those on which the router has run. */
export const FIND_RUN_ON: Statement = {
  name: 'assignment_find_run_on',
  text: `SELECT object.id FROM unnest($3::uuid[]) AS object (id)
    WHERE EXISTS (SELECT FROM assignments a
      WHERE a.account_id = $1 AND a.object_id = object.id AND a.router_id = $2)`,
};

/** $1 account, $2 router. Lets one import at a time look for records on which the router has not run. */
export const LOCK_IMPORT: Statement = {
  name: 'assignment_lock_import',
  text: `SELECT pg_advisory_xact_lock(${importLock('$1', '$2')})`,
};

/** The instants of the newest entries of a person that count, at most as many as are asked for. */
const newest = (where: string): string =>
  `(SELECT date_trunc('milliseconds', a.created_at) AS at FROM assignments a
      WHERE a.account_id = $1 AND a.user_id = person.id AND a.created_at >= person.since
        AND a.created_at <= COALESCE($5::timestamptz, 'infinity') AND ${where}
      ORDER BY a.created_at DESC LIMIT person.most)`;

/**
 * $1 account, then arrays of the same length: $2 users, $3 an instant for each and $4 a number; $5 an instant
 * or null for all that is committed. Returns that many of the newest assignments of each user between the two
 * instants, without those that were returned by $5, in milliseconds since 1970 and commas between them.
 */
export const READ_NEWEST: Statement = {
  name: 'assignment_read_newest',
  text: `SELECT person.id, array_to_string(ARRAY(
      SELECT (date_part('epoch', entry.at) * 1000)::bigint
      FROM (${newest('a.returned_at IS NULL')} UNION ALL
        ${newest('a.returned_at > $5 AND $5::timestamptz IS NOT NULL')}) AS entry
      ORDER BY 1 DESC), ',') AS newest
    FROM unnest($2::uuid[], $3::timestamptz[], $4::int[]) AS person (id, since, most)`,
};

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

/** The newest entries of a person of which a condition holds, at most as many as are asked for. */
const newest = (where: string): string =>
  `SELECT a.created_at FROM assignments a
      WHERE a.account_id = $1 AND a.user_id = person.id AND a.created_at >= person.since AND ${where}
      ORDER BY a.created_at DESC LIMIT person.most`;

/** Reads instants in milliseconds since 1970, as a text with commas between them: there may be thousands. */
const read = (entries: string): string =>
  `SELECT person.id, array_to_string(ARRAY(
      SELECT (date_part('epoch', entry.created_at) * 1000)::bigint FROM (${entries}) AS entry), ',') AS newest
    FROM unnest($2::uuid[], $3::timestamptz[], $4::int[]) AS person (id, since, most)`;

/**
 * $1 account, then arrays of the same length: $2 users, $3 an instant for each and $4 a number. Returns that
 * many of the newest assignments of each user since the instant, without those that were returned.
 */
export const READ_NEWEST: Statement = {
  name: 'assignment_read_newest',
  text: read(newest('a.returned_at IS NULL')),
};

/** As READ_NEWEST, as of the instant $5: without what came later, and with what was returned later. */
export const READ_NEWEST_AT: Statement = {
  name: 'assignment_read_newest_at',
  text: read(`(${newest('a.returned_at IS NULL AND a.created_at <= $5')}) UNION ALL
      (${newest('a.returned_at > $5 AND a.created_at <= $5')}) ORDER BY 1 DESC`),
};

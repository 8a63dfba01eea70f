import { atAccount } from '../accounts/index.js';
import { importLock, onCluster, type Statement } from '../database/index.js';
import { storedNameOf, userNamed } from '../directory/index.js';
import { ACCOUNT } from './log-query.js';
import { COLUMNS } from './log-statements.js';

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
  text: `SELECT pg_advisory_xact_lock(${importLock('$1::uuid', '$2')}) ${atAccount('$1')}`,
};

/** What a cluster finds the node of entries `a` by, where no other condition has their account alone. */
const OF_ACCOUNT = onCluster('a.account_id = $1 AND');

/**
 * The newest entries of a person until an instant of which a condition holds, at most as many as are asked
 * for. By the bounds and their order, no other index than that of these columns is of use (ADR 35).
 */
const newest = (where: string, until = "'infinity'::timestamptz"): string =>
  `SELECT a.created_at FROM assignments a
      WHERE ${OF_ACCOUNT} (a.account_id, a.user_id, a.created_at) >= (${ACCOUNT}, person.id, person.since)
        AND (a.account_id, a.user_id, a.created_at) <= (${ACCOUNT}, person.id, ${until})
        AND a.user_id IS NOT NULL AND ${where}
      ORDER BY a.account_id DESC, a.user_id DESC, a.created_at DESC LIMIT person.most`;

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
  text: read(`(${newest('a.returned_at IS NULL', '$5')}) UNION ALL
      (${newest('a.returned_at > $5', '$5')}) ORDER BY 1 DESC`),
};

/** The last assignment of a record by one of the routers that gave it to somebody. */
const lastOf = (p: Readonly<Record<'object' | 'routers', string>>): string =>
  `SELECT a.* FROM assignments a
      WHERE a.account_id = ${ACCOUNT} AND a.object_id = ${p.object}
        AND (a.router_id = ANY (${p.routers}::uuid[]) AND a.user_id IS NOT NULL) IS TRUE
      ORDER BY a.id DESC LIMIT 1`;

/**
 * $1 account, $2 objects, $3 routers. Reads the last assignment of each object by these routers that gave it
 * to somebody, unless it was returned.
 */
export const FIND_LAST: Statement = {
  name: 'assignment_find_last',
  text: `SELECT last.id, last.object_id AS "objectId", last.router_id AS "routerId",
      ${storedNameOf('$1', 'last.user_id')} AS "user", last.created_at AS at, last.rotation AS "rotationKey", last.team
    FROM unnest($2::uuid[]) AS object (id)
    CROSS JOIN LATERAL (${lastOf({ object: 'object.id', routers: '$3' })}) AS last
    WHERE last.returned_at IS NULL`,
};

/**
 * $1 account, $2 routers, $3 most turns. Reads the returned turns that no dispatch has taken over, in order.
 * OFFSET keeps the planner from reading the log in that order where it believes that it is short.
 */
export const READ_TURNS: Statement = {
  name: 'assignment_read_returned_turns',
  text: `SELECT a.id, a.router_id AS "routerId", a.rotation AS "rotationKey", a.team,
      ${storedNameOf('$1', 'a.user_id')} AS "oldOwner", ${storedNameOf('$1', 'a.charged_to')} AS "newOwner"
    FROM (SELECT * FROM assignments owed
      WHERE owed.account_id = $1 AND owed.router_id = ANY ($2::uuid[]) AND owed.turn_owed OFFSET 0) AS a
    ORDER BY a.id LIMIT $3`,
};

/**
 * $1 account, $2 object, $3 routers, $4 minutes of each, $5 the owner until now, $6 the new owner or null.
 * Returns the last assignment by one of the routers, where it gave the object to that owner within its
 * minutes and was not returned before. The transaction must have locked the record in an earlier statement.
 */
export const RETURN_LAST: Statement = {
  name: 'assignment_return_last',
  text: `WITH given AS MATERIALIZED (SELECT last.account_id, last.id, last.rotation
      FROM (${lastOf({ object: '$2', routers: '$3' })}) AS last
      JOIN unnest($3::uuid[], $4::float8[]) AS router (id, minutes) ON router.id = last.router_id
      WHERE last.returned_at IS NULL AND last.user_id = ${userNamed('$1', '$5::text')}
        AND last.created_at >= statement_timestamp() - router.minutes * interval '1 minute')
    UPDATE assignments a SET returned_at = statement_timestamp(), turn_owed = given.rotation IS NOT NULL,
      charged_to = ${userNamed('$1', '$6::text')}
    FROM given WHERE ${OF_ACCOUNT} a.account_id = ANY (ARRAY[given.account_id]) AND a.id = given.id`,
};

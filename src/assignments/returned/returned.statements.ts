import type { Statement } from '../../database/index.js';
import { millisecondsIn } from '../fold/series.sql.js';
import { markReturned } from './returned.sql.js';

/**
 * The last assignment by one of the routers that gave the record to somebody. Those with an id below `least`
 * are too old to be returned, and PostgreSQL need not open their partitions.
 */
const lastOf = (columns: string, p: Readonly<Record<'object' | 'routers' | 'least', string>>): string =>
  `SELECT ${columns} FROM assignments a
      WHERE a.account_id = $1 AND a.object_id = ${p.object} AND a.router_id = ANY (${p.routers}::uuid[])
        AND a.user_email IS NOT NULL AND a.id >= ${p.least}::uuid
      ORDER BY a.id DESC LIMIT 1`;

/**
 * $1 account, $2 objects, $3 routers, $4 least id. Reads the last assignment of each object by these routers
 * that gave it to somebody, unless it was returned.
 */
export const FIND_HELD: Statement = {
  name: 'assignment_find_held',
  text: `SELECT last.* FROM unnest($2::uuid[]) AS object (id)
    CROSS JOIN LATERAL (${lastOf(
      `a.id, a.object_id AS "objectId", a.router_id AS "routerId", a.user_email AS "user", a.created_at AS at,
        a.turn ->> 'scope' AS "rotationKey", a.turn ->> 'team' AS team`,
      { object: 'object.id', routers: '$3', least: '$4' },
    )}) AS last
    WHERE NOT EXISTS (SELECT FROM returned_assignments r
      WHERE r.account_id = $1 AND r.assignment_id = last.id)`,
};

/**
 * $1 account, $2 routers, $3 most turns. Reads the returned turns that no dispatch has taken over, in order.
 */
export const READ_TURNS: Statement = {
  name: 'assignment_read_returned_turns',
  text: `SELECT r.assignment_id AS id, r.router_id AS "routerId", r.rotation_key AS "rotationKey", r.team,
      r.user_email AS "oldOwner", r.new_owner AS "newOwner"
    FROM returned_assignments r
    WHERE r.account_id = $1 AND r.router_id = ANY ($2::uuid[]) AND r.rotation_key IS NOT NULL
    ORDER BY r.assignment_id LIMIT $3`,
};

/**
 * $1 account, $2 object, $3 routers, $4 minutes of each, $5 the owner until now, $6 the new owner or null,
 * $7 least id. Returns the last assignment by one of the routers, where it gave the object to that owner
 * within its minutes and was not returned before. The transaction must have locked the record in an earlier
 * statement.
 */
export const RETURN_LAST: Statement = {
  name: 'assignment_return_last',
  text: `WITH last AS (${lastOf('a.*', { object: '$2', routers: '$3', least: '$7' })}),
    returned AS (
      INSERT INTO returned_assignments (account_id, assignment_id, user_email, assigned_at, returned_at, router_id,
        rotation_key, team, new_owner)
      SELECT $1, last.id, last.user_email, last.created_at, statement_timestamp(), last.router_id,
        last.turn ->> 'scope', last.turn ->> 'team', $6::text
      FROM last JOIN unnest($3::uuid[], $4::float8[]) AS router (id, minutes) ON router.id = last.router_id
      WHERE last.user_email = $5
        AND last.created_at >= statement_timestamp() - router.minutes * interval '1 minute'
      ON CONFLICT (account_id, assignment_id) DO NOTHING RETURNING assignment_id)
    ${markReturned('returned', { account: '$1', least: '$7' })}`,
};

/** A condition: the row `r` is of an entry before an id, and its turn is not owed, or for as long. */
export const isSettledBefore = (id: string): string =>
  `r.assignment_id < ${id}::uuid
        AND (r.rotation_key IS NULL OR r.returned_at < to_timestamp(${millisecondsIn(`${id}::uuid`)} / 1000.0))`;

/** $1 the first id of the entries that stay. Deletes what is noted of those before it. */
export const DELETE_RETURNED: Statement = {
  name: 'assignment_delete_returned',
  text: `DELETE FROM returned_assignments r USING accounts c WHERE r.account_id = c.id AND ${isSettledBefore('$1')}`,
};

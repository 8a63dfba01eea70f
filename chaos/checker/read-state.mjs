// Reads over SQL all that a history says something about.

/** Names of records that no client made start with this. */
export const BULK = 'bulk';

/** @returns { records, log, rotations, users, routers } of the account */
export async function readState(client) {
  const rows = async (text, values) => (await client.query(text, values)).rows;
  const users = await rows('SELECT id, email FROM users');
  const routers = await rows('SELECT id, name FROM routers');
  return {
    records: await rows(
      `SELECT id, fields, archived_at IS NOT NULL AS archived FROM records
        WHERE fields ->> 'first_name' NOT LIKE $1 || '%' ORDER BY id`,
      [BULK],
    ),
    log: await rows(
      // The id of somebody who is no user must not look like nobody.
      `SELECT a.id, router_id, object_id, COALESCE(before.email, previous_user_id::text) AS previous_user, reason,
          a.created_at, CASE reason WHEN 'already_owner' THEN COALESCE(before.email, previous_user_id::text)
            ELSE COALESCE(owner.email, user_id::text) END AS user
        FROM assignments a LEFT JOIN users owner ON owner.id = user_id LEFT JOIN users before ON before.id = previous_user_id
        ORDER BY a.id`,
    ),
    rotations: new Map(
      (await rows('SELECT router_id, state FROM rotations')).map((row) => [row.router_id, row.state]),
    ),
    users: new Map(users.map(({ id, email }) => [email, id])),
    routers: new Map(routers.map(({ id, name }) => [name, id])),
  };
}

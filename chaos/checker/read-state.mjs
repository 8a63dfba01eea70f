// Reads over SQL all that a history says something about.

import { SLUG } from '../service/account.mjs';

/** Names of records that no client made start with this. */
export const BULK = 'bulk';

/** @returns { records, log, rotations, users, routers } of an account */
export async function readState(client, slug = SLUG) {
  const found = await client.query('SELECT id FROM accounts WHERE slug = $1', [slug]);
  const of = found.rows[0]?.id;
  const rows = async (text, values = []) => (await client.query(text, [of, ...values])).rows;
  const users = await rows('SELECT id, email FROM users WHERE account_id = $1');
  const routers = await rows('SELECT id, name FROM routers WHERE account_id = $1');
  return {
    records: await rows(
      `SELECT id, fields, archived_at IS NOT NULL AS archived FROM records
        WHERE account_id = $1 AND fields ->> 'first_name' NOT LIKE $2 || '%' ORDER BY id`,
      [BULK],
    ),
    log: await rows(
      // The id of somebody who is no user must not look like nobody.
      `SELECT a.id, router_id, object_id, COALESCE(before.email, previous_user_id::text) AS previous_user, reason,
          a.created_at, CASE reason WHEN 'already_owner' THEN COALESCE(before.email, previous_user_id::text)
            ELSE COALESCE(owner.email, user_id::text) END AS user
        FROM assignments a LEFT JOIN users owner ON owner.account_id = a.account_id AND owner.id = user_id
          LEFT JOIN users before ON before.account_id = a.account_id AND before.id = previous_user_id
        WHERE a.account_id = $1 ORDER BY a.id`,
    ),
    rotations: new Map(
      (await rows('SELECT router_id, state FROM rotations WHERE account_id = $1')).map((row) => [
        row.router_id,
        row.state,
      ]),
    ),
    users: new Map(users.map(({ id, email }) => [email, id])),
    routers: new Map(routers.map(({ id, name }) => [name, id])),
  };
}

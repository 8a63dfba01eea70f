/** Fragments of SQL for statements on the table `rotations`. Parameters are SQL expressions. */

/** Stores new states of rotations from a JSON array of `{router, key, state}`. */
export const storeRotations = (p: Readonly<Record<'account' | 'rotations' | 'at', string>>): string =>
  `INSERT INTO rotations (account_id, router_id, key, state, updated_at)
      SELECT ${p.account}, rotation.router, rotation.key, rotation.state, ${p.at}
      FROM jsonb_to_recordset(${p.rotations}::jsonb) AS rotation (router uuid, key text, state jsonb)
      ON CONFLICT (account_id, router_id, key)
        DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at`;

/**
 * A row `(states)`: the states of the routers' own rotations as a JSON object, by router. A router that never
 * gave a turn is missing. Null where none did.
 * @param routers a uuid[]
 */
export const ownRotations = (account: string, routers: string): string =>
  `SELECT json_object_agg(rotation.router_id, rotation.state) AS states FROM rotations rotation
    WHERE rotation.account_id = ${account} AND rotation.router_id = ANY (${routers}::uuid[]) AND rotation.key = ''`;

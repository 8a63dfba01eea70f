/** Fragments of SQL for statements on the table `rotations`. Parameters are SQL expressions. */

/** Stores new states of a router's rotations from a JSON array of `{key, state}`. */
export const storeRotations = (
  p: Readonly<Record<'account' | 'router' | 'rotations' | 'at', string>>,
): string =>
  `INSERT INTO rotations (account_id, router_id, key, state, updated_at)
      SELECT ${p.account}, ${p.router}, rotation.key, rotation.state, ${p.at}
      FROM jsonb_to_recordset(${p.rotations}::jsonb) AS rotation (key text, state jsonb)
      ON CONFLICT (account_id, router_id, key)
        DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at`;

/** A row `(state)` of a router's own rotation. There is no row for a router that never gave a turn. */
export const ownRotation = (account: string, router: string): string =>
  `SELECT rotation.state FROM rotations rotation
    WHERE rotation.account_id = ${account} AND rotation.router_id = ${router} AND rotation.key = ''`;

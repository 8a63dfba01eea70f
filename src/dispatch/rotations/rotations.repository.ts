import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Queryable, Statement } from '../../database/index.js';
import { decodeRotationState, type Rotation } from '../../engine/index.js';

/** $1 account, $2 routers, $3 the key of a rotation of each. */
const READ_ROTATIONS: Statement = {
  name: 'rotation_read',
  text: `SELECT rotation.router_id, rotation.key, rotation.state
    FROM unnest($2::uuid[], $3::text[]) AS wanted (router, key)
    JOIN rotations rotation
      ON rotation.account_id = $1 AND rotation.router_id = wanted.router AND rotation.key = wanted.key`,
};

// Fragments for statements of dispatches on the table `rotations`. Parameters are SQL expressions.

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

/** Names one rotation of a router. */
export type RotationKey = Omit<Rotation, 'state'>;

interface Row {
  readonly router_id: string;
  readonly key: string;
  readonly state: unknown;
}

/** The rotations of routers. They change only under the account's lock. */
@Injectable()
export class RotationsRepository {
  /** Returns rotations of any routers. One that never gave a turn is missing. */
  async read(
    db: Queryable,
    { accountId }: AccountContext,
    wanted: readonly RotationKey[],
  ): Promise<Rotation[]> {
    if (wanted.length === 0) return [];
    const values = [accountId, wanted.map(({ routerId }) => routerId), wanted.map(({ key }) => key)];
    const rows = await db.query<Row>(READ_ROTATIONS, values);
    return rows.map(({ router_id: routerId, key, state }) => ({
      routerId,
      key,
      state: decodeRotationState(state, key),
    }));
  }
}

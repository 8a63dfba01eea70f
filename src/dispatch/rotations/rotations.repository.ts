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

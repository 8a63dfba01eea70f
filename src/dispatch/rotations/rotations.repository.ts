import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Queryable, Statement, Transaction } from '../../database/index.js';
import { decodeRotationState, encodeRotationState, type RotationState } from '../../engine/index.js';

/** $1 account, $2 router, $3 keys. */
const READ_ROTATIONS: Statement = {
  name: 'rotation_read',
  text: 'SELECT key, state FROM rotations WHERE account_id = $1 AND router_id = $2 AND key = ANY ($3::text[])',
};

/** $1 account, $2 router, $3 key, $4 state. */
const REPLACE_ROTATION: Statement = {
  name: 'rotation_replace',
  text: `UPDATE rotations SET state = $4::jsonb, updated_at = statement_timestamp()
    WHERE account_id = $1 AND router_id = $2 AND key = $3`,
};

/** One rotation of a router. */
export interface RotationRow {
  readonly routerId: string;
  readonly key: string;
  readonly state: RotationState;
}

/** The rotations of routers. They change only under the router's lock. */
@Injectable()
export class RotationsRepository {
  /** Returns the states by key. A rotation that never gave a turn is missing. */
  async read(
    db: Queryable,
    { accountId }: AccountContext,
    { routerId, keys }: { readonly routerId: string; readonly keys: readonly string[] },
  ): Promise<ReadonlyMap<string, RotationState>> {
    if (keys.length === 0) return new Map();
    const values = [accountId, routerId, keys];
    const rows = await db.query<{ key: string; state: unknown }>(READ_ROTATIONS, values);
    return new Map(rows.map(({ key, state }) => [key, decodeRotationState(state, key)]));
  }

  /** Replaces the state of a rotation that has given a turn. */
  async replace(
    tx: Transaction,
    { accountId }: AccountContext,
    { routerId, key, state }: RotationRow,
  ): Promise<void> {
    const encoded = JSON.stringify(encodeRotationState(state, key));
    await tx.query(REPLACE_ROTATION, [accountId, routerId, key, encoded]);
  }
}

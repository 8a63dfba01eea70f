import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Queryable, Statement } from '../../database/index.js';
import { decodeRotationState, type Rotation, type RotationType } from '../../engine/index.js';

/** $1 account, $2 routers, $3 the key of a rotation of each. */
const READ_ROTATIONS: Statement = {
  name: 'rotation_read',
  text: `SELECT rotation.router_id, rotation.key, rotation.state
    FROM unnest($2::uuid[], $3::text[]) AS wanted (router, key)
    JOIN rotations rotation
      ON rotation.account_id = $1 AND rotation.router_id = wanted.router AND rotation.key = wanted.key`,
};

/**
 * $1 account, $2 routers, $3 the key of a rotation of each, $4 its turns: of `users` or of `teams`. The
 * largest credit of the members by router, as a number in hexadecimal with 64 digits.
 */
const READ_LARGEST: Statement = {
  name: 'rotation_read_largest',
  text: `SELECT wanted.router, max(lpad(ltrim(member.value ->> 0, '-'), 64, '0')) AS credit
    FROM unnest($2::uuid[], $3::text[], $4::text[]) AS wanted (router, key, type)
    JOIN rotations rotation
      ON rotation.account_id = $1 AND rotation.router_id = wanted.router AND rotation.key = wanted.key
    CROSS JOIN LATERAL jsonb_each(rotation.state -> 'rotations') AS ledger
    CROSS JOIN LATERAL jsonb_each(ledger.value) AS member
    WHERE (split_part(ledger.key, E'\\n', -1) = 'users') = (wanted.type = 'users')
    GROUP BY wanted.router`,
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

  /** Returns the largest credit, of either sign, that a member of one of these rotations has, by router. */
  async largestCredits(
    db: Queryable,
    { accountId }: AccountContext,
    wanted: readonly (RotationKey & { readonly type: RotationType })[],
  ): Promise<ReadonlyMap<string, bigint>> {
    const values = [
      wanted.map(({ routerId }) => routerId),
      wanted.map(({ key }) => key),
      wanted.map(({ type }) => type),
    ];
    const rows = await db.query<{ router: string; credit: string }>(READ_LARGEST, [accountId, ...values]);
    return new Map(rows.map(({ router, credit }) => [router, BigInt(`0x${credit}`)]));
  }
}

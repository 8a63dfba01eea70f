import type { User } from '../../directory/user.js';
import type { CompiledPool, PoolSeat } from '../pool/compiled-pool.js';
import type { DistributionModel } from './distribution-model.js';

/** A pool, the model that chooses from it, and the key of its rotation. */
export interface Route {
  /** Empty for the router's own pool; see `rotationKeyOfRule` for the pool of a rule. */
  readonly rotationKey: string;
  readonly pool: CompiledPool;
  readonly model: DistributionModel;
  /** E-mails of the users who can be chosen: those with a weight above 0. */
  readonly contenders: readonly string[];
}

/** Makes a route of a pool and a model. */
export function routeOf(rotationKey: string, pool: CompiledPool, model: DistributionModel): Route {
  const weighty = <Entry extends { readonly portion: bigint }>(entries: readonly Entry[]) =>
    entries.filter(({ portion }) => model.weigh(portion) > 0n);
  const seats =
    pool.rotationType === 'users'
      ? weighty(pool.seats)
      : [...weighty(pool.singles), ...weighty(pool.groups).flatMap((group) => weighty(group.seats))];
  return { rotationKey, pool, model, contenders: [...new Set(seats.map(({ email }) => email))] };
}

/** E-mails of everyone in a pool, each once. */
export function candidatesOf(pool: CompiledPool): readonly string[] {
  const seats =
    pool.rotationType === 'users'
      ? pool.seats
      : [...pool.singles, ...pool.groups.flatMap((group) => group.seats)];
  return [...new Set(seats.map(({ email }) => email))];
}

/** The key of a user in a ledger: the id, or the e-mail if no id is known. */
export function seatKey(seat: PoolSeat, users: ReadonlyMap<string, User>): string {
  return seat.id ?? users.get(seat.email)?.id ?? seat.email;
}

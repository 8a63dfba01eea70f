import type { CompiledRouter } from '../routing/compiled-router.js';
import type { PoolGroup, PoolSeat, TeamPool } from '../pool/compiled-pool.js';
import type { DecisionInput } from '../model/decision.js';
import type { Ledger, RotationState } from '../model/rotation-state.js';
import { seatKey, type Route } from '../distribution/route.js';
import { returnCredit, type CreditReturn } from '../distribution/return-credit.js';

/** An assignment by a rotation whose record now has another owner. */
export interface ReturnedTurn {
  /** `GivenTurn.rotationKey` of the assignment. */
  readonly rotationKey: string;
  /** `GivenTurn.team` of the assignment. If it is left out: the first team that contains the old owner. */
  readonly team?: string | null | undefined;
  /** Lower-case e-mail of the user to whom the rotation assigned the record. */
  readonly oldOwner: string;
  /** Lower-case e-mail of the user who is charged for the turn; null for the whole pool. */
  readonly newOwner: string | null;
}

/**
 * Returns the turn of a record whose owner changed after a rotation assigned it. The old owner is credited
 * one assignment and the new owner is charged for it, in the rotation that gave the turn. With turns by team
 * this happens among the teams, and within the team of each of the two. Where the new owner is nobody or not
 * in the pool, the turn counts as never given: all members are charged in proportion to their shares. The
 * credits keep the sum 0.
 *
 * Nothing changes for an old owner who left the pool (the credit left with the user), for a rule or pool that
 * no longer exists, for a model that does not use credit, and for a pool without other members.
 *
 * @returns the state of the rotation to store; the given state if nothing changes
 */
export function returnTurn(
  router: CompiledRouter,
  moved: ReturnedTurn,
  { rotation: state, users }: Pick<DecisionInput, 'rotation' | 'users'>,
): RotationState {
  const route = findRoute(router, moved.rotationKey);
  if (route === undefined || route.model.usesCredit === false || moved.oldOwner === moved.newOwner) {
    return state;
  }
  const { pool, model } = route;
  const member = (entry: PoolSeat) => ({ key: seatKey(entry, users), weight: model.weigh(entry.portion) });
  const ledgers = new Map<string, Ledger>(state.ledgers);
  const settle = (name: string, members: Parameters<typeof returnCredit>[1], transfer: CreditReturn) => {
    const stored = ledgers.get(name);
    if (stored !== undefined) ledgers.set(name, returnCredit(stored, members, transfer));
  };
  const keyOf = (seats: readonly PoolSeat[], email: string | null) => {
    const seat = seats.find((each) => each.email === email);
    return seat === undefined ? null : seatKey(seat, users);
  };

  if (pool.rotationType === 'users') {
    const from = keyOf(pool.seats, moved.oldOwner);
    if (from === null) return state;
    settle('users', pool.seats.map(member), { from, to: keyOf(pool.seats, moved.newOwner) });
    return { ...state, ledgers };
  }
  const giver = placeOf(pool, moved.oldOwner, moved.team);
  if (giver === null) return state;
  const taker = placeOf(pool, moved.newOwner, giver.group?.key);
  const entries = [
    ...pool.singles.map(member),
    ...pool.groups.map(({ key, portion }) => ({ key, weight: model.weigh(portion) })),
  ];
  const entryKey = (place: Place | null) =>
    place === null ? null : (place.group?.key ?? seatKey(place.seat, users));
  settle('teams', entries, { from: entryKey(giver), to: entryKey(taker) });
  for (const group of new Set([giver.group, taker?.group ?? null])) {
    if (group === null) continue;
    settle(group.key, group.seats.map(member), {
      from: group === giver.group ? seatKey(giver.seat, users) : null,
      to: taker !== null && group === taker.group ? seatKey(taker.seat, users) : null,
    });
  }
  return { ...state, ledgers };
}

/** The place of a user in a pool with turns by team: direct, or in a team. */
interface Place {
  readonly seat: PoolSeat;
  readonly group: PoolGroup | null;
}

/** @param team key of the team to search first; null for a direct place only; undefined for any place */
function placeOf(pool: TeamPool, email: string | null, team: string | null | undefined): Place | null {
  const isSeat = (seat: PoolSeat) => seat.email === email;
  const preferred = pool.groups.filter(({ key }) => key === team);
  for (const group of preferred) {
    const seat = group.seats.find(isSeat);
    if (seat !== undefined) return { seat, group };
  }
  const single = pool.singles.find(isSeat);
  if (single !== undefined) return { seat: single, group: null };
  for (const group of team === null ? [] : pool.groups) {
    const seat = group.seats.find(isSeat);
    if (seat !== undefined) return { seat, group };
  }
  return null;
}

function findRoute({ plan }: CompiledRouter, rotationKey: string): Route | undefined {
  const routes = [plan?.route, ...(plan?.rules ?? []).map(({ route }) => route)];
  return routes.find((route) => route?.rotationKey === rotationKey) ?? undefined;
}

import type { User } from '../../directory/user.js';
import type { DecisionInput } from '../model/decision.js';
import type { DistributionStep } from '../model/trace.js';
import type { PoolGroup, PoolSeat, TeamPool } from '../pool/compiled-pool.js';
import type { DistributionModel } from './distribution-model.js';
import type { Ledger, RotationState } from '../model/rotation-state.js';
import { seatKey, type Route } from './route.js';
import { takeTurn, type RotationMember, type TakenTurn } from './take-turn.js';

/** A turn: the user, the state after it, and the steps for the trace. */
export interface RotationOutcome {
  readonly user: User;
  readonly rotation: RotationState;
  /** Key of the team that took the turn; null for a turn of users. */
  readonly team: string | null;
  readonly steps: readonly DistributionStep[];
}

/** The user with that e-mail; undefined if the user is not eligible for this record. */
export type EligibleUser = (email: string) => User | undefined;

/**
 * Takes the next turn of a pool: among the users, or among the teams and then among the members of the chosen
 * team. A team without an eligible member is not considered and its credit stays. Null if no user can be
 * chosen.
 */
export function rotate(route: Route, eligible: EligibleUser, input: DecisionInput): RotationOutcome | null {
  const { pool, model } = route;
  const stored = (name: string) => input.rotation.ledgers.get(name);
  const members = (seats: readonly PoolSeat[]) =>
    seats.map((seat): RotationMember => {
      const user = eligible(seat.email);
      return {
        key: seatKey(seat, input.users),
        label: seat.email,
        weight: model.weigh(seat.portion),
        users: user === undefined ? [] : [user],
      };
    });

  if (pool.rotationType === 'users') {
    const pooled = { among: 'users', members: members(pool.seats), stored: stored('users') };
    const turn = takeTurn(model, pooled, input);
    return turn === null ? null : outcome(input, { turns: [['users', turn]], gone: new Set(), team: null });
  }
  const groups = new Map(pool.groups.map((group) => [group.key, group]));
  const teams = [
    ...members(pool.singles),
    ...pool.groups.map((group) => groupMember(group, model, eligible)),
  ];
  const first = takeTurn(model, { among: 'teams', members: teams, stored: stored('teams') }, input);
  if (first === null) {
    return null;
  }
  const gone = departed(input.rotation, pool);
  const group = groups.get(first.entry.key);
  if (group === undefined) {
    return outcome(input, { turns: [['teams', first]], gone, team: null });
  }
  const seated = { among: group.name, members: members(group.seats), stored: stored(group.key) };
  const second = takeTurn(model, seated, input);
  if (second === null) {
    return null;
  }
  const turns = [
    ['teams', first],
    [group.key, second],
  ] as const;
  return outcome(input, { turns, gone, team: group.key });
}

function groupMember(group: PoolGroup, model: DistributionModel, eligible: EligibleUser): RotationMember {
  const users = group.seats.flatMap((seat) => eligible(seat.email) ?? []);
  return { key: group.key, label: group.name, weight: model.weigh(group.portion), users };
}

/** Names of the ledgers of teams that are no longer in the pool. */
function departed(state: RotationState, pool: TeamPool): ReadonlySet<string> {
  const listed = new Set(pool.groups.map((group) => group.key));
  const names = [...state.ledgers.keys()];
  return new Set(names.filter((name) => name.startsWith('team:') && !listed.has(name)));
}

/** The turns of one assignment. */
interface Turns {
  /** By the name of the ledger: among the teams first, then among the members. */
  readonly turns: readonly (readonly [name: string, turn: TakenTurn])[];
  /** Names of the ledgers to delete. */
  readonly gone: ReadonlySet<string>;
  /** Key of the team that took the turn; null for a turn of users. */
  readonly team: string | null;
}

function outcome(input: DecisionInput, { turns, gone, team }: Turns): RotationOutcome | null {
  const user = turns.at(-1)?.[1].entry.users[0];
  if (user === undefined) {
    return null;
  }
  const ledgers = new Map<string, Ledger>(input.rotation.ledgers);
  for (const name of gone) ledgers.delete(name);
  for (const [name, turn] of turns) ledgers.set(name, turn.ledger);
  return {
    user,
    rotation: { seq: input.rotation.seq + 1, ledgers },
    team,
    steps: turns.map(([, turn]) => turn.step),
  };
}

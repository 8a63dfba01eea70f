import type { DecisionInput } from '../model/decision.js';
import type { Ledger, RotationState } from '../model/rotation.js';
import { returnCredit, type CreditReturn, type LedgerMember } from '../ledger/ledger.js';
import type { Candidate, CandidateTeam, CompiledPool } from '../pool/pool.js';
import type { CompiledRouter, Stage } from './plan.js';
import { memberKey } from './stage.js';

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
  { rotation: state, users }: Pick<DecisionInput, 'users'> & { readonly rotation: RotationState },
): RotationState {
  const stage = findStage(router, moved.rotationKey);
  if (stage === undefined || stage.model.usesCredit === false || moved.oldOwner === moved.newOwner) {
    return state;
  }
  const { pool, model } = stage;
  const giver = placeOf(pool, moved.oldOwner, moved.team);
  if (giver === null) return state;
  const taker = placeOf(pool, moved.newOwner, giver.team?.key);
  const keyOf = (candidate: Candidate): string => memberKey(candidate, users);
  const member = (candidate: Candidate): LedgerMember => ({
    key: keyOf(candidate),
    weight: model.weigh(candidate.portion),
  });
  const ledgers = new Map<string, Ledger>(state.ledgers);
  const settle = (name: string, members: readonly LedgerMember[], transfer: CreditReturn): void => {
    const stored = ledgers.get(name);
    if (stored !== undefined) ledgers.set(name, returnCredit(stored, members, transfer));
  };
  const among = [
    ...pool.candidates.map(member),
    ...pool.teams.map(({ key, portion }) => ({ key, weight: model.weigh(portion) })),
  ];
  const entryKey = (place: Place): string => place.team?.key ?? keyOf(place.candidate);
  settle(pool.rotationType, among, { from: entryKey(giver), to: taker && entryKey(taker) });
  for (const team of new Set([giver.team, taker?.team])) {
    if (team === undefined) continue;
    settle(team.key, team.candidates.map(member), {
      from: team === giver.team ? keyOf(giver.candidate) : null,
      to: taker !== null && team === taker.team ? keyOf(taker.candidate) : null,
    });
  }
  return { ...state, ledgers };
}

/** The place of a user in a pool: direct, or in a team that takes turns. */
interface Place {
  readonly candidate: Candidate;
  readonly team: CandidateTeam | undefined;
}

/** @param key of the team to search first; null for a direct place only; undefined for any place */
function placeOf(
  { candidates, teams }: CompiledPool,
  email: string | null,
  key: string | null | undefined,
): Place | null {
  const others = key === null ? [] : teams.filter((team) => team.key !== key);
  const places = [...teams.filter((team) => team.key === key), undefined, ...others];
  for (const team of places) {
    const candidate = (team?.candidates ?? candidates).find((each) => each.email === email);
    if (candidate !== undefined) return { candidate, team };
  }
  return null;
}

function findStage({ plan }: CompiledRouter, rotationKey: string): Stage | undefined {
  const stages = plan === null ? [] : [plan, ...plan.rules].flatMap((each) => each.stages);
  return stages.find((stage) => stage.rotationKey === rotationKey);
}

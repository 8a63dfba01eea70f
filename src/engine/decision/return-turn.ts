import type { DecisionInput } from '../model/decision.js';
import type { Ledger, RotationState } from '../model/rotation.js';
import { returnCredit, type CreditReturn, type LedgerMember } from '../ledger/ledger.js';
import type { Candidate, CompiledPool, PoolGroup } from '../pool/pool.js';
import { allStages, type CompiledRouter } from './plan.js';
import { memberKey } from './stage.js';

/** An assignment by a rotation whose record now has another owner. */
export interface ReturnedTurn {
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
  const stage = allStages(router).find(({ rotationKey }) => rotationKey === moved.rotationKey);
  if (stage === undefined || stage.model.usesCredit === false || moved.oldOwner === moved.newOwner) {
    return state;
  }
  const { pool, model } = stage;
  const giver = placeOf(pool, moved.oldOwner, moved.team);
  if (giver === undefined) return state;
  const taker = placeOf(pool, moved.newOwner, giver.group.key ?? undefined);
  const keyOf = (candidate: Candidate): string => memberKey(candidate, users);
  const entryKey = ({ group, candidate }: Place): string => group.key ?? keyOf(candidate);
  const membersOf = ({ candidates }: PoolGroup): LedgerMember[] =>
    candidates.map((each) => ({ key: keyOf(each), weight: model.weigh(each.portion) }));
  const ledgers = new Map<string, Ledger>(state.ledgers);
  const settle = (name: string, members: readonly LedgerMember[], transfer: CreditReturn): void => {
    const stored = ledgers.get(name);
    if (stored !== undefined) ledgers.set(name, returnCredit(stored, members, transfer));
  };
  const among = pool.groups.flatMap((group) =>
    group.key === null ? membersOf(group) : [{ key: group.key, weight: model.weigh(group.portion) }],
  );
  settle(pool.rotationType, among, {
    from: entryKey(giver),
    to: taker === undefined ? null : entryKey(taker),
  });
  for (const group of new Set([giver.group, taker?.group])) {
    if (group === undefined || group.key === null) continue;
    settle(group.key, membersOf(group), {
      from: group === giver.group ? keyOf(giver.candidate) : null,
      to: taker !== undefined && group === taker.group ? keyOf(taker.candidate) : null,
    });
  }
  return { ...state, ledgers };
}

interface Place {
  readonly candidate: Candidate;
  readonly group: PoolGroup;
}

/** @param key of the team to search first; null for a direct place only; undefined for any place */
function placeOf(
  { groups }: CompiledPool,
  email: string | null,
  key: string | null | undefined,
): Place | undefined {
  const same = groups.filter((group) => group.key === key);
  const places = (key === null ? same : [...same, ...groups]).flatMap((group): Place[] => {
    const candidate = group.candidates.find((each) => each.email === email);
    return candidate === undefined ? [] : [{ candidate, group }];
  });
  return places[0];
}

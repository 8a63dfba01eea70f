import type { User } from '../../directory/user.js';
import type { DecisionInput } from '../model/decision.js';
import type { DistributionStep } from '../model/trace.js';
import type { DistributionModel, TurnEntry } from './distribution-model.js';
import { reconcileLedger } from './reconcile-ledger.js';
import type { Ledger } from '../model/rotation-state.js';

/** A member of a rotation: a user, or a team. */
export interface RotationMember {
  readonly key: string;
  readonly label: string;
  /** The result of the model's `weigh`. */
  readonly weight: bigint;
  /** The eligible users: at most the user, or members of the team. */
  readonly users: readonly User[];
}

/** The members among whom a turn is taken. */
export interface TurnPool {
  /** Their name in the trace: `users`, `teams` or the name of a team. */
  readonly among: string;
  readonly members: readonly RotationMember[];
  /** Their ledger after the previous turn; undefined for none. */
  readonly stored: Ledger | undefined;
}

/** A turn that was taken. */
export interface TakenTurn {
  readonly entry: TurnEntry;
  readonly ledger: Ledger;
  readonly step: DistributionStep;
}

/**
 * Takes a turn in a rotation, after updating its ledger to the present members. Null if no eligible member
 * has a weight; then the rotation does not change.
 */
export function takeTurn(
  model: DistributionModel,
  { among, members, stored }: TurnPool,
  input: DecisionInput,
): TakenTurn | null {
  const present = members.filter((member) => member.users.length > 0);
  const entries = present.filter((member) => member.weight > 0n);
  if (entries.length === 0) {
    return null;
  }
  const ledger = reconcileLedger(stored, members);
  const turn = { entries, ledger, seq: input.rotation.seq + 1, input };
  const { entry, ledger: after, explanation } = model.distribute(turn);
  const weightless = present.filter((member) => member.weight <= 0n).map((member) => member.label);
  const step: DistributionStep = {
    step: 'distribution',
    model: model.id,
    among,
    chosen: entry.label,
    ...explanation,
    ...(weightless.length > 0 ? { without_share: weightless } : {}),
  };
  return { entry, ledger: after, step };
}

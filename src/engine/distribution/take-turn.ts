import type { User } from '../../directory/user.js';
import type { DecisionInput } from '../model/decision.js';
import type { DistributionStep } from '../model/trace.js';
import type { DistributionModel, TurnEntry } from './distribution-model.js';
import { reconcileLedger } from './reconcile-ledger.js';
import type { Ledger } from '../model/rotation-state.js';

/** A place in a rotation: a user, or a team. */
export interface RotationMember {
  readonly key: string;
  readonly label: string;
  /** What the model's `weigh` gave. */
  readonly weight: bigint;
  /** Those eligible for this record: at most the user, or members of the team. */
  readonly users: readonly User[];
}

/** Those who take turns with each other. */
export interface TurnPool {
  /** What they are, for the trace: `users`, `teams` or the name of a team. */
  readonly among: string;
  readonly members: readonly RotationMember[];
  /** Their ledger after the turn before; undefined for none yet. */
  readonly stored: Ledger | undefined;
}

/** A turn that was taken. */
export interface TakenTurn {
  readonly entry: TurnEntry;
  readonly ledger: Ledger;
  readonly step: DistributionStep;
}

/**
 * Takes a turn in a rotation, which is first brought in line with its members as they are configured now.
 * Null when nobody is eligible who has a weight; then nothing moves.
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

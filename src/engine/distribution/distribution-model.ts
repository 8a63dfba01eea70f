import type { User } from '../../directory/user.js';
import type { DecisionInput } from '../model/decision.js';
import type { DistributionExplanation } from '../model/trace.js';
import type { FieldIssue } from '../model/field-issue.js';
import type { RouterPool } from '../model/router-configuration.js';
import type { Ledger } from '../model/rotation-state.js';

/** One who can take the turn: a user, or a team with somebody eligible. */
export interface TurnEntry {
  /** Under which the rotation keeps credit and last turn. */
  readonly key: string;
  /** E-mail of the user or name of the team, for the trace. */
  readonly label: string;
  /** What `weigh` gave: above zero. */
  readonly weight: bigint;
  /** Those eligible for this record: the user, or the eligible members of the team. */
  readonly users: readonly User[];
}

/** One turn to give. */
export interface Turn {
  /** Those eligible for this record, at least one, in the configured order. */
  readonly entries: readonly TurnEntry[];
  /** Credit and last turn of everyone in the pool, eligible or not; credits sum to 0. */
  readonly ledger: Ledger;
  /** Number of this assignment in the rotation state, counted from 1. */
  readonly seq: number;
  readonly input: DecisionInput;
}

/** Who gets the turn. */
export interface Distribution {
  readonly entry: TurnEntry;
  /** The rotation after the turn, for everyone in `turn.rotation`. */
  readonly ledger: Ledger;
  readonly explanation: DistributionExplanation;
}

/** A way to choose among those eligible. Register further ones with the engine; the built-in ones are written alike. */
export interface DistributionModel {
  /** The word of the setting `distribution_model`, unique among the registered models. */
  readonly id: string;
  /** The `reason` of an assignment that it made. */
  readonly reason: string;
  /**
   * False for a model that does not choose by credit, so that a record that changes hands is nothing to make up for in its
   * rotations. True where it is left out.
   */
  readonly usesCredit?: boolean;
  /** True for a model that compares what users own, so that it is counted. */
  readonly comparesOwned?: boolean;
  /** What the model finds wrong with a router's pool; paths start at `users[0]` and `teams[0]`. */
  validate(pool: RouterPool): readonly FieldIssue[];
  /**
   * The weight of a pool entry in any unit common to the pool; who weighs 0 is never chosen.
   * @param portion the configured percentage in a unit common to the pool; equal for the members of a team in turn
   */
  weigh(portion: bigint): bigint;
  distribute(turn: Turn): Distribution;
}

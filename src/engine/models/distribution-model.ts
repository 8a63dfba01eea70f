import type { User } from '../../directory/user.js';
import type { DecisionInput } from '../model/decision.js';
import type { DistributionExplanation } from '../model/trace.js';
import type { FieldIssue, RouterPool } from '../model/router-configuration.js';
import type { Ledger } from '../model/rotation.js';

/** A candidate for a turn: a user, or a team with at least one eligible member. */
export interface TurnEntry {
  /** The key of the entry in the ledger. */
  readonly key: string;
  /** E-mail of the user or name of the team, for the trace. */
  readonly label: string;
  /** The result of `weigh`: above zero. */
  readonly weight: bigint;
  /** The eligible users: the user, or the eligible members of the team. */
  readonly users: readonly User[];
}

/** One turn to give. */
export interface Turn {
  /** The candidates, at least one, in the configured order. */
  readonly entries: readonly TurnEntry[];
  /** Credit and last turn of everyone in the pool, eligible or not. The credits sum to 0. */
  readonly ledger: Ledger;
  /** Number of this turn in the rotation, counted from 1. */
  readonly seq: number;
  readonly input: DecisionInput;
}

/** The result of a turn. */
export interface Distribution {
  readonly entry: TurnEntry;
  /** The ledger after the turn, with every member of `Turn.ledger`. The credits must sum to 0. */
  readonly ledger: Ledger;
  readonly explanation: DistributionExplanation;
}

/** A way to choose among users or teams. The built-in models are written like those of extensions. */
export interface DistributionModel {
  /** The value of the setting `distribution_model`, unique among the registered models. */
  readonly id: string;
  /** The `reason` of an assignment by this model. */
  readonly reason: string;
  /** False where credit does not choose: a returned turn then changes nothing. Default true. */
  readonly usesCredit?: boolean;
  /** True for a model that compares how many records users own, so that they are counted. Default false. */
  readonly comparesOwned?: boolean;
  /** The errors of a pool for this model; empty for none. Paths start at `users[0]` and `teams[0]`. */
  validate(pool: RouterPool): readonly FieldIssue[];
  /** The weight of an entry in any unit; 0 is never chosen. @param portion the percentage in any unit */
  weigh(portion: bigint): bigint;
  distribute(turn: Turn): Distribution;
}

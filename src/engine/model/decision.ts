import type { User } from '../../directory/user.js';
import type { ObjectType } from '../../fields/object-type.js';
import type { RotationState } from './rotation.js';
import type { Capacity, Workloads } from './workload.js';
import type { ASSIGNED_MESSAGE, RefusalReason } from './outcomes.js';
import type { Trace } from './trace.js';

/**
 * The record to assign. Callers refuse archived records, and records of another type than the router's,
 * before.
 */
export interface RecordInput {
  readonly id: string;
  readonly objectType: ObjectType;
  /** The stored value of a field, system-managed ones included. Undefined or empty means no value. */
  readonly get: (field: string) => string | undefined;
}

/** The active company whose website_url is the host of the contact's e-mail address. */
export interface MatchedOwner {
  readonly companyId: string;
  readonly host: string;
  /** E-mail of the company's owner. */
  readonly owner: string | null;
}

/** Everything that a decision depends on besides the routed record. */
export interface DecisionInput {
  readonly record: RecordInput;
  /** The active users of the account by lower-case e-mail. */
  readonly users: ReadonlyMap<string, User>;
  /** Needed if the router matches accounts; null for no such company. */
  readonly matchedOwner: MatchedOwner | null;
  /**
   * The states of the rotations that `RoutedRecord.stages` have, by their keys. One that is missing has given
   * no turn yet.
   */
  readonly rotations: ReadonlyMap<string, RotationState>;
  /** The instant of the decision. */
  readonly at: Date;
  /**
   * The workloads by lower-case e-mail. A missing user counts as having nothing.
   * `AssignmentEngine.needs` tells which are needed.
   */
  readonly workloads?: Workloads | undefined;
  /** The capacities of the account. */
  readonly capacities?: readonly Capacity[] | undefined;
}

/** The rotation that gave a turn, and the team. `returnTurn` needs them. */
export interface GivenTurn {
  /** Empty for the router's own pool; see `rotationKeyOfRule` for a rule's. */
  readonly rotationKey: string;
  /** Key of the team that took the turn; null for a turn of users. */
  readonly team: string | null;
}

/** The record is assigned. */
export interface Assigned {
  readonly assigned: true;
  /**
   * True where the user is the present owner of the record, with the reason `already_owner`: the record stays
   * as it is, no turn is taken, and no limit is used.
   */
  readonly unchanged: boolean;
  /** E-mail of the owner. */
  readonly user: string;
  /** The owner field to set. */
  readonly fieldName: string;
  /** `account_matched`, `default_user`, `already_owner`, or the `reason` of the distribution model. */
  readonly reason: string;
  readonly message: typeof ASSIGNED_MESSAGE;
  /**
   * The state of the rotation that gave the turn, to be stored. Null if no turn was taken: matched owners,
   * backup users and present owners take none.
   */
  readonly rotation: RotationState | null;
  /** The turn that was given; null if none was taken. */
  readonly turn: GivenTurn | null;
  /** Name of the rule that decides; null for none, and for an owner of the matched company. */
  readonly rule: string | null;
  /** The place of the step that chose the user, 0 for the own pool of router or rule; null for no turn. */
  readonly step: number | null;
  readonly trace: Trace;
}

/** The record is not assigned; no turn is taken. */
export interface NotAssigned {
  readonly assigned: false;
  readonly reason: RefusalReason;
  readonly message: string;
  /** The present owner as stored, with the reason `owner_present` only. */
  readonly owner?: string;
  /** Name of the rule that decides, where one does. */
  readonly rule?: string;
  readonly trace: Trace;
}

export type Decision = Assigned | NotAssigned;

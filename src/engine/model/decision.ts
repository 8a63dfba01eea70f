import type { User } from '../../directory/user.js';
import type { ObjectType } from '../../fields/object-type.js';
import type { RotationState } from './rotation.js';
import { type Capacity, type Workloads, NOTHING_ASSIGNED, withOwned } from './workload.js';
import type { Trace } from './trace.js';
import { normalizeEmail } from '../../text/email-key.js';

/** The message of every dispatch that assigns (contract, section 4). */
export const ASSIGNED_MESSAGE = 'The object was successfully assigned';

/** The reasons of assignments that no distribution model makes. */
export const ASSIGNED_REASONS = ['account_matched', 'default_user', 'already_owner'] as const;

/** The messages of dispatches that do not assign, by their stable machine word (contract, section 4). */
export const REFUSALS = {
  router_unpublished: 'The router is unpublished',
  router_has_no_settings: 'The router has no settings',
  trigger_not_matched: 'Trigger did not match',
  /** The router has rules, none of them matches, and it has no pool of its own; no backup user gets it. */
  no_rule_matched: 'Trigger did not match',
  /** The first rule that matches has `refuse`. */
  rule_refused: 'Trigger did not match',
  owner_present: 'The router can not overwrite',
  /** Limits or capacities alone excluded at least one user, and there is no backup user. */
  assignment_limit_reached: 'Assignment limit reached',
  no_users_available: 'There are no users available and the backup user is disabled',
} as const;

/** Why nobody was assigned. */
export type RefusalReason = keyof typeof REFUSALS;

/** The record to assign. Callers refuse archived records and records of another type before. */
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
  /** The states of rotations by their keys. One that is missing has given no turn yet. */
  readonly rotations: ReadonlyMap<string, RotationState>;
  /** The instant of the decision. */
  readonly at: Date;
  /** By lower-case e-mail, as `needs` tells. A missing user counts as having nothing. */
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
  /** The user has the record already (`already_owner`): it stays as it is, and no turn or limit is used. */
  readonly unchanged: boolean;
  /** E-mail of the owner. */
  readonly user: string;
  /** The owner field to set. */
  readonly fieldName: string;
  /** `account_matched`, `default_user`, `already_owner`, or the `reason` of the distribution model. */
  readonly reason: string;
  readonly message: typeof ASSIGNED_MESSAGE;
  /** The state, to be stored, of the rotation that gave the turn; null where none was taken. */
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

/**
 * The input, reduced to what concerns this record: only the capacities that it counts towards, and the
 * workload of its present owner without the record itself and without assignments. So the record does not
 * count against its own owner, who needs no room in a limit to keep it.
 *
 * @param ownerField the owner field of the router
 */
export function weighedInput(input: DecisionInput, ownerField: string): DecisionInput {
  const { record, workloads, capacities } = input;
  if (workloads === undefined && capacities === undefined) return input;
  const applicable = applicableCapacities(capacities ?? [], record);
  const weighed = { ...input, capacities: applicable };
  const email = ownerOf(record, ownerField);
  const workload = workloads?.get(email);
  if (workload === undefined) return weighed;
  const without = { ...withOwned(workload, -1, applicable), assigned: NOTHING_ASSIGNED };
  return { ...weighed, workloads: new Map(workloads).set(email, without) };
}

/** The capacities that a record counts towards: those of its type that list the value of its field. */
export function applicableCapacities(
  capacities: readonly Capacity[],
  record: RecordInput,
): readonly Capacity[] {
  return capacities.filter(
    ({ objectType, field, values }) =>
      objectType === record.objectType && values.includes(record.get(field) ?? ''),
  );
}

/** The key of the owner of a record: an e-mail in lower case, empty for none. */
export function ownerOf(record: RecordInput, ownerField: string): string {
  return normalizeEmail(record.get(ownerField) ?? '');
}

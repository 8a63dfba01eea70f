import type { User } from '../../directory/user.js';
import { applicableCapacities } from '../workload/weighed-input.js';
import type { Capacity } from '../model/capacity.js';
import { LIMIT_SPANS } from '../model/workload.js';
import type { RecordInput, MatchedOwner } from '../model/decision.js';
import type { Routed, RoutedRecord } from './route-record.js';
import { normalizeEmail } from '../../text/email-key.js';

/**
 * The users whose workloads decisions need, by lower-case e-mail. All lists are empty if there is nothing to
 * load.
 */
export interface RequiredWorkloads {
  /** Users with limits: their assignments in their windows (`Workload.assigned`). */
  readonly assigned: readonly string[];
  /** Users whose active records are counted (`Workload.owned`). */
  readonly owned: readonly string[];
  /** By name of a capacity: the users who have a maximum in it (`Workload.capacities`). */
  readonly capacities: ReadonlyMap<string, readonly string[]>;
}

/** The input that is known before workloads are loaded. */
export interface RequirementInput {
  readonly record: RecordInput;
  /** The active users of the account by lower-case e-mail. */
  readonly users: ReadonlyMap<string, User>;
  readonly matchedOwner?: MatchedOwner | null;
  /** The capacities of the account. */
  readonly capacities?: readonly Capacity[];
}

const NOTHING: RequiredWorkloads = { assigned: [], owned: [], capacities: new Map() };

/** The users whose workloads a decision on a routed record needs. */
export function requiredWorkloads(routed: Routed, input: RequirementInput): RequiredWorkloads {
  if (routed.refused || isKept(routed, input.record)) return NOTHING;
  const listed = [...new Set([...routed.candidates, ...others(routed, input)])];
  const active = listed.filter((email) => input.users.has(email));
  const applicable = applicableCapacities(input.capacities ?? [], input.record);
  const capped = applicable.map(
    ({ name, maxByEmail }) => [name, active.filter((email) => maxByEmail.has(email))] as const,
  );
  const all = new Set(capped.flatMap(([, emails]) => emails));
  // The eligible candidates are not known yet. The model compares owned records unless every eligible
  // candidate has a maximum, so the records of all are counted unless all have one.
  const compares =
    routed.stages.some(({ model }) => model.comparesOwned === true) &&
    !active.every((email) => all.has(email));
  return {
    assigned: active.filter((email) => hasLimit(input.users.get(email))),
    owned: compares ? active : [],
    capacities: new Map(capped.filter(([, emails]) => emails.length > 0)),
  };
}

/** The union of what several decisions need. */
export function joinRequired(needs: readonly RequiredWorkloads[]): RequiredWorkloads {
  const capacities = new Map<string, Set<string>>();
  for (const [name, emails] of needs.flatMap((each) => [...each.capacities])) {
    capacities.set(name, new Set([...(capacities.get(name) ?? []), ...emails]));
  }
  return {
    assigned: [...new Set(needs.flatMap(({ assigned }) => assigned))],
    owned: [...new Set(needs.flatMap(({ owned }) => owned))],
    capacities: new Map([...capacities].map(([name, emails]) => [name, [...emails]])),
  };
}

/** Whether the record keeps its owner, whatever the workloads are. */
function isKept({ settings }: RoutedRecord, record: RecordInput): boolean {
  const { ownerField, overwrite, overwriteIfUnavailable } = settings;
  return !overwrite && !overwriteIfUnavailable && (record.get(ownerField) ?? '') !== '';
}

/** The users outside the pool who must pass the checks: the matched owner, and the backup user. */
function others({ settings }: RoutedRecord, { matchedOwner }: RequirementInput): string[] {
  const matched = settings.accountMatching ? (matchedOwner?.owner ?? null) : null;
  const { defaultUser, defaultUserMustBeAvailable, disableDefaultAssignment } = settings;
  const backup = defaultUserMustBeAvailable && !disableDefaultAssignment ? defaultUser : null;
  return [matched, backup].flatMap((email) => (email === null ? [] : [normalizeEmail(email)]));
}

function hasLimit(user: User | undefined): boolean {
  return LIMIT_SPANS.some((span) => (user?.limits?.[span] ?? 0) > 0);
}

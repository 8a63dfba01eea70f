import { LIMIT_SPANS, type User } from '../../directory/user.js';
import { normalizeEmail } from '../../text/email-key.js';
import { type RecordInput, applicableCapacities } from '../model/decision.js';
import type { Ask, Facts, Rotation } from './book.js';
import type { RoutedRecord } from './route-record.js';

/** What must be read to answer asks. Users are named by lower-case e-mail. All is empty if nothing must. */
export interface Needs {
  /** Users with limits: their assignments in their windows (`Workload.assigned`). */
  readonly assigned: readonly string[];
  /** Users whose active records are counted (`Workload.owned`). */
  readonly owned: readonly string[];
  /** By name of a capacity: the users who have a maximum in it (`Workload.capacities`). */
  readonly capacities: ReadonlyMap<string, readonly string[]>;
  readonly rotations: readonly Omit<Rotation, 'state'>[];
}

/** What the asks of one transaction need. */
export function needs(
  asks: readonly Ask[],
  { users, capacities }: Pick<Facts, 'users' | 'capacities'>,
): Needs {
  const [assigned, owned] = [new Set<string>(), new Set<string>()];
  const capped = new Map<string, Set<string>>();
  const rotations = new Map<string, Omit<Rotation, 'state'>>();
  for (const { router, record, routed, matchedOwner } of asks) {
    if (routed.refused || isKept(routed, record)) continue;
    for (const { rotationKey: key } of routed.stages) {
      rotations.set(`${router.id} ${key}`, { routerId: router.id, key });
    }
    const listed = [...routed.candidates, ...others(routed, matchedOwner)];
    const active = listed.filter((email) => users.has(email));
    const having = new Set<string>();
    for (const { name, maxByEmail } of applicableCapacities(capacities, record)) {
      const some = active.filter((email) => maxByEmail.has(email));
      if (some.length > 0) capped.set(name, new Set([...(capped.get(name) ?? []), ...some]));
      for (const email of some) having.add(email);
    }
    for (const email of active) if (hasLimit(users.get(email))) assigned.add(email);
    // The eligible candidates are not known yet. The model compares owned records unless every eligible
    // candidate has a maximum, so the records of all are counted unless all have one.
    const compares = routed.stages.some(({ model }) => model.comparesOwned === true);
    if (!compares || active.every((email) => having.has(email))) continue;
    for (const email of active) owned.add(email);
  }
  return {
    assigned: [...assigned],
    owned: [...owned],
    capacities: new Map([...capped].map(([name, emails]) => [name, [...emails]])),
    rotations: [...rotations.values()],
  };
}

/** Whether the record keeps its owner, whatever the workloads are. */
function isKept({ settings }: RoutedRecord, record: RecordInput): boolean {
  const { ownerField, overwrite, overwriteIfUnavailable } = settings;
  return !overwrite && !overwriteIfUnavailable && (record.get(ownerField) ?? '') !== '';
}

/** The users outside the pools who must pass the checks: the matched owner, and the backup user. */
function others({ settings }: RoutedRecord, matchedOwner: Ask['matchedOwner']): string[] {
  const { accountMatching, defaultUser, defaultUserMustBeAvailable, disableDefaultAssignment } = settings;
  const matched = accountMatching ? matchedOwner?.owner : null;
  const backup = defaultUserMustBeAvailable && !disableDefaultAssignment ? defaultUser : null;
  return [matched, backup].flatMap((email) => (email == null ? [] : [normalizeEmail(email)]));
}

function hasLimit(user: User | undefined): boolean {
  return LIMIT_SPANS.some((span) => (user?.limits?.[span] ?? 0) > 0);
}

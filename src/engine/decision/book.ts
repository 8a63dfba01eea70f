import type { EligibilityCheck } from '../eligibility/checks.js';
import { withOwned, type Capacity, type Workload, type Workloads } from '../model/workload.js';
import {
  applicableCapacities,
  ownerOf,
  type Assigned,
  type Decision,
  type DecisionInput,
  type RecordInput,
} from '../model/decision.js';
import type { RotationState } from '../model/rotation.js';
import { normalizeEmail } from '../../text/email-key.js';
import { decide } from './decide.js';
import type { CompiledRouter } from './plan.js';
import { returnTurn, type ReturnedTurn } from './return-turn.js';
import type { Routed, RoutedRecord } from './route-record.js';
import { LIMIT_SPANS, type User } from '../../directory/user.js';

/** One question: which user gets the record by the router, now? */
export interface Ask extends Pick<DecisionInput, 'record' | 'matchedOwner'> {
  readonly router: CompiledRouter;
  readonly routed: Routed;
}

/** A rotation of a router, and its state. */
export interface Rotation {
  readonly routerId: string;
  readonly key: string;
  readonly state: RotationState;
}

/** An assignment by which a user holds a record. */
export interface HeldAssignment {
  readonly id: string;
  readonly routerId: string;
  readonly rotationKey: string | null;
  readonly team: string | null;
  /** Lower-case e-mail. */
  readonly user: string;
  readonly at: Date;
}

/** A turn that its rotation gets back, since its assignment was returned in an earlier transaction. */
export interface OwedTurn extends ReturnedTurn {
  readonly id: string;
  readonly routerId: string;
}

/** All that was read to answer the asks of one transaction. They set the same owner field. */
export interface Facts extends Pick<DecisionInput, 'users' | 'at'> {
  readonly routers: ReadonlyMap<string, CompiledRouter>;
  readonly capacities: readonly Capacity[];
  /** Of the users that `needs` names. Those who are missing are not counted. */
  readonly workloads: Workloads;
  /** Those that give turns, or get them back. One that is missing has given none. */
  readonly rotations: readonly Rotation[];
  /** By record: the assignment that is returned if the record gets another owner. */
  readonly held: ReadonlyMap<string, HeldAssignment>;
}

/** What decisions change besides the records. */
export interface Changes {
  readonly rotations: readonly Rotation[];
  /** Ids of the assignments that are returned, and of those whose turns rotations have got back. */
  readonly returned: readonly string[];
  /** Ids of the returned ones whose turns are left for the next transaction of their routers. */
  readonly owed: readonly string[];
}

/** What decisions of one transaction depend on and change. It answers one ask after the other. */
export class Book {
  private readonly workloads: Map<string, Workload>;
  private readonly rotations = new Map<string, Map<string, RotationState>>();
  private readonly moved = new Map<string, Rotation>();
  private readonly returned: string[] = [];
  private readonly owed: string[] = [];

  constructor(
    private readonly checks: readonly EligibilityCheck[],
    private readonly facts: Facts,
  ) {
    this.workloads = new Map(facts.workloads);
    for (const { routerId, key, state } of facts.rotations) this.of(routerId).set(key, state);
  }

  /** Decides, and takes over what the decision changes. */
  decide({ router, record, routed, matchedOwner }: Ask): Decision {
    const { users, at, capacities } = this.facts;
    const { workloads } = this;
    const rotations = this.of(router.id);
    const input = { record, users, matchedOwner, rotations, at, workloads, capacities };
    const decision = decide(routed, this.checks, input);
    if (decision.assigned && !decision.unchanged) this.apply(router, record, decision);
    return decision;
  }

  /** Returns a turn that is owed. It is settled also where its rotation is gone. */
  settle(turn: OwedTurn): void {
    this.giveBack(turn.routerId, turn);
    this.returned.push(turn.id);
  }

  /** Adds records that do not exist to the counts of their owners: decisions count without the record. */
  imagine(asks: readonly Ask[]): void {
    for (const { router, record } of asks) {
      if (router.plan !== null) this.count(ownerOf(record, router.plan.settings.ownerField), 1, record);
    }
  }

  get changes(): Changes {
    return { rotations: [...this.moved.values()], returned: this.returned, owed: this.owed };
  }

  private apply(
    { id }: CompiledRouter,
    record: RecordInput,
    { user, fieldName, turn, rotation }: Assigned,
  ): void {
    if (turn !== null && rotation !== null) this.move(id, turn.rotationKey, rotation);
    const owner = normalizeEmail(user);
    this.count(ownerOf(record, fieldName), -1, record);
    this.count(owner, 1, record);
    this.changeNewest(owner, (newest) => [this.facts.at.getTime(), ...newest]);
    const held = this.facts.held.get(record.id);
    if (held !== undefined) this.takeBack(held);
  }

  /** Returns the assignment by which somebody held a record: it counts as never given. */
  private takeBack({ id, routerId, rotationKey, team, user, at }: HeldAssignment): void {
    this.changeNewest(user, (newest) => {
      const index = newest.indexOf(at.getTime());
      return index < 0 ? newest : newest.toSpliced(index, 1);
    });
    this.returned.push(id);
    if (rotationKey === null) return;
    const isBack = this.giveBack(routerId, { rotationKey, team, oldOwner: user, newOwner: null });
    if (!isBack) this.owed.push(id);
  }

  /** Returns a turn to its rotation. @returns false where that was not read */
  private giveBack(routerId: string, turn: ReturnedTurn): boolean {
    const router = this.facts.routers.get(routerId);
    const rotation = this.of(routerId).get(turn.rotationKey);
    if (router === undefined || rotation === undefined) return false;
    const state = returnTurn(router, turn, { rotation, users: this.facts.users });
    if (state !== rotation) this.move(routerId, turn.rotationKey, state);
    return true;
  }

  private move(routerId: string, key: string, state: RotationState): void {
    this.of(routerId).set(key, state);
    this.moved.set(`${routerId} ${key}`, { routerId, key, state });
  }

  private of(routerId: string): Map<string, RotationState> {
    const rotations = this.rotations.get(routerId) ?? new Map<string, RotationState>();
    this.rotations.set(routerId, rotations);
    return rotations;
  }

  private count(email: string, by: number, record: RecordInput): void {
    this.change(email, (workload) =>
      withOwned(workload, by, applicableCapacities(this.facts.capacities, record)),
    );
  }

  private changeNewest(email: string, change: (newest: readonly number[]) => readonly number[]): void {
    this.change(email, ({ assigned, ...others }) => ({
      ...others,
      assigned: { ...assigned, newest: change(assigned.newest) },
    }));
  }

  private change(email: string, change: (workload: Workload) => Workload): void {
    const workload = this.workloads.get(email);
    if (workload !== undefined) this.workloads.set(email, change(workload));
  }
}

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

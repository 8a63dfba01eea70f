import type { HeldAssignment } from '../../assignments/index.js';
import { limitWindows } from '../../directory/index.js';
import {
  AssignmentEngine,
  LIMIT_SPANS,
  ROUTER_ROTATION_KEY,
  workloadsAfter,
  workloadsWithout,
  type Decision,
  type LimitSpan,
  type MatchedOwner,
  type RecordInput,
  type Routed,
  type Workloads,
} from '../../engine/index.js';
import { valueOf, type StoredRecord } from '../../records/index.js';
import type { RouterSnapshot } from '../snapshot/router-snapshot.js';
import type { Decided, RouterChanges } from './decided.js';
import type { RouterState } from './router-state.js';

/** A record that has been routed. */
export interface RoutedInput {
  readonly record: StoredRecord;
  readonly input: RecordInput;
  /** The refusal, or the pool for the record. */
  readonly routed: Routed;
  readonly matchedOwner: MatchedOwner | null;
}

/** What decisions start from. */
export interface DecisionStart {
  readonly routers: ReadonlyMap<string, RouterState>;
  readonly workloads: Workloads;
  /** The assignments by which users hold the records, by record. */
  readonly held: ReadonlyMap<string, HeldAssignment>;
}

const MINUTE = 60_000;

const NOTHING: RouterChanges = { rotations: new Map() };

/** What changes from one decision to the next: the rotations of each router, and the workloads of all. */
export class DecisionState {
  private workloads: Workloads;

  constructor(
    private readonly engine: AssignmentEngine,
    private readonly start: DecisionStart,
  ) {
    this.workloads = start.workloads;
  }

  /** Decides on a record, and takes over what the decision changes. */
  decide(snapshot: RouterSnapshot, routed: RoutedInput, at: Date): Decision {
    const { id, directory, capacities, ownerField } = snapshot;
    const { record, input, matchedOwner } = routed;
    const router = this.start.routers.get(id);
    const key = rotationKeyOf(routed.routed);
    if (router === undefined) throw new Error('A router decides that takes no part');
    const decision = this.engine.decide(routed.routed, {
      record: input,
      users: directory.users,
      matchedOwner,
      rotation: router.rotation(key),
      at,
      workloads: this.workloads,
      capacities,
    });
    if (!decision.assigned || decision.unchanged) return decision;
    if (decision.rotation !== null) router.move(key, decision.rotation);
    const assignment = { record: input, ownerField, owner: decision.user };
    this.workloads = workloadsAfter(this.workloads, assignment, capacities);
    const { held } = this.start;
    const taken = assignmentTakenBack(snapshot, { record, decision }, { held, at });
    if (taken !== undefined) this.takeBack(snapshot, taken, at);
    return decision;
  }

  /** Returns what the decisions of a router have changed besides the records. */
  changesOf(routerId: string): RouterChanges {
    return this.start.routers.get(routerId)?.changes ?? NOTHING;
  }

  /**
   * Takes back the assignment by which somebody held a record. The new owner is charged for a turn of their
   * own, so this one counts as never given.
   */
  private takeBack(snapshot: RouterSnapshot, assignment: HeldAssignment, at: Date): void {
    const { routerId, rotationKey, team, user: oldOwner } = assignment;
    const spans = spansOf(snapshot, assignment, at);
    const email = snapshot.directory.names.emailOf(oldOwner);
    this.workloads = workloadsWithout(this.workloads, { email, spans });
    const isReturned =
      rotationKey === null ||
      this.start.routers.get(routerId)?.giveBack({ rotationKey, team, oldOwner, newOwner: null }) === true;
    this.start.routers.get(snapshot.id)?.note({ assignment, owesTurn: !isReturned });
  }
}

/** Returns the key of the rotation that a routed record uses; empty for the router's own rotation. */
export function rotationKeyOf(routed: Routed): string {
  return routed.refused ? ROUTER_ROTATION_KEY : routed.rotationKey;
}

/**
 * Returns the assignment that a decision takes back: the record goes from the user who got it by that
 * assignment to another one, within the minutes of the router that made it.
 * @param held the assignments by which users hold records, by record
 */
function assignmentTakenBack(
  { returning, ownerField }: RouterSnapshot,
  { record, decision }: Decided,
  { held, at }: { readonly held: ReadonlyMap<string, HeldAssignment>; readonly at: Date },
): HeldAssignment | undefined {
  const assignment = held.get(record.id);
  if (assignment === undefined || !decision.assigned || decision.unchanged) return undefined;
  const minutes = returning.get(assignment.routerId);
  const isRecent = minutes !== undefined && at.getTime() - assignment.at.getTime() <= minutes * MINUTE;
  return isRecent && valueOf(record, ownerField) === assignment.user ? assignment : undefined;
}

/** Returns the spans of a user's limits in which an assignment counts. Empty for nobody. */
function spansOf({ directory }: RouterSnapshot, { user, at }: HeldAssignment, now: Date): LimitSpan[] {
  const known = directory.users.get(directory.names.emailOf(user));
  if (known === undefined) return [];
  const windows = limitWindows(known, now);
  return LIMIT_SPANS.filter((span) => at >= windows[span]);
}

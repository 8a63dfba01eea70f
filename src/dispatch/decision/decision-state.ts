import type { LastAssignment } from '../../assignments/index.js';
import {
  AssignmentEngine,
  workloadsAfter,
  workloadsWithout,
  type Decision,
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
  readonly held: ReadonlyMap<string, LastAssignment>;
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
    if (router === undefined) throw new Error('A router decides that takes no part');
    const decision = this.engine.decide(routed.routed, {
      record: input,
      users: directory.users,
      matchedOwner,
      rotations: router.rotations,
      at,
      workloads: this.workloads,
      capacities,
    });
    if (!decision.assigned || decision.unchanged) return decision;
    const { turn, rotation } = decision;
    if (turn !== null && rotation !== null) router.move(turn.rotationKey, rotation);
    const assignment = { record: input, ownerField, owner: decision.user, at };
    this.workloads = workloadsAfter(this.workloads, assignment, capacities);
    const { held } = this.start;
    const taken = assignmentTakenBack(snapshot, { record, decision }, { held, at });
    if (taken !== undefined) this.takeBack(snapshot, taken);
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
  private takeBack(snapshot: RouterSnapshot, assignment: LastAssignment): void {
    const { routerId, rotationKey, team, user: oldOwner } = assignment;
    const email = snapshot.directory.names.emailOf(oldOwner);
    this.workloads = workloadsWithout(this.workloads, { email, at: assignment.at });
    const isReturned =
      rotationKey === null ||
      this.start.routers.get(routerId)?.giveBack({ rotationKey, team, oldOwner, newOwner: null }) === true;
    this.start.routers.get(snapshot.id)?.note({ assignment, owesTurn: !isReturned });
  }
}

/** Returns the keys of the rotations that a routed record may use. */
export function rotationKeysOf(routed: Routed): readonly string[] {
  return routed.refused ? [] : routed.stages.map(({ rotationKey }) => rotationKey);
}

/**
 * Returns the assignment that a decision takes back: the record goes from the user who got it by that
 * assignment to another one, within the minutes of the router that made it.
 * @param held the assignments by which users hold records, by record
 */
function assignmentTakenBack(
  { returning, ownerField }: RouterSnapshot,
  { record, decision }: Decided,
  { held, at }: { readonly held: ReadonlyMap<string, LastAssignment>; readonly at: Date },
): LastAssignment | undefined {
  const assignment = held.get(record.id);
  if (assignment === undefined || !decision.assigned || decision.unchanged) return undefined;
  const minutes = returning.get(assignment.routerId);
  const isRecent = minutes !== undefined && at.getTime() - assignment.at.getTime() <= minutes * MINUTE;
  return isRecent && valueOf(record, ownerField) === assignment.user ? assignment : undefined;
}

import {
  AssignmentEngine,
  EMPTY_ROTATION_STATE,
  ROUTER_ROTATION_KEY,
  workloadsAfter,
  type Decision,
  type MatchedOwner,
  type RecordInput,
  type RotationState,
  type Routed,
  type Workloads,
} from '../../engine/index.js';
import type { StoredRecord } from '../../records/index.js';
import type { RouterSnapshot } from '../snapshot/router-snapshot.js';

/** A record that has been routed. */
export interface RoutedInput {
  readonly record: StoredRecord;
  readonly input: RecordInput;
  /** The refusal, or the pool for the record. */
  readonly routed: Routed;
  readonly matchedOwner: MatchedOwner | null;
}

/** The rotations of one router by key. */
type Rotations = Map<string, RotationState>;

/** What changes from one decision to the next: the rotations of each router, and the workloads of all. */
export class DecisionState {
  private readonly moved = new Map<string, Rotations>();

  /** @param rotations by router */
  constructor(
    private readonly engine: AssignmentEngine,
    private readonly rotations: ReadonlyMap<string, Rotations>,
    private workloads: Workloads,
  ) {}

  /** Decides on a record, and takes over what the decision changes. */
  decide(snapshot: RouterSnapshot, { input, routed, matchedOwner }: RoutedInput, at: Date): Decision {
    const { id, directory, capacities, ownerField } = snapshot;
    const key = rotationKeyOf(routed);
    const decision = this.engine.decide(routed, {
      record: input,
      users: directory.users,
      matchedOwner,
      rotation: this.rotations.get(id)?.get(key) ?? EMPTY_ROTATION_STATE,
      at,
      workloads: this.workloads,
      capacities,
    });
    if (!decision.assigned) return decision;
    if (decision.rotation !== null) {
      this.rotations.get(id)?.set(key, decision.rotation);
      this.moved.set(id, this.movedOf(id).set(key, decision.rotation));
    }
    const assignment = { record: input, ownerField, owner: decision.user };
    this.workloads = workloadsAfter(this.workloads, assignment, capacities);
    return decision;
  }

  /** Returns the rotations of a router that have given turns, by key. */
  movedOf(routerId: string): Rotations {
    return this.moved.get(routerId) ?? new Map<string, RotationState>();
  }
}

/** Returns the key of the rotation that a routed record uses; empty for the router's own rotation. */
export function rotationKeyOf(routed: Routed): string {
  return routed.refused ? ROUTER_ROTATION_KEY : routed.rotationKey;
}

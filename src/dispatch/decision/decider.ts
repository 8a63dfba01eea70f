import { Injectable } from '@nestjs/common';
import {
  AssignmentEngine,
  EMPTY_ROTATION_STATE,
  joinRequired,
  ROUTER_ROTATION_KEY,
  workloadsAfter,
  workloadsWith,
  type Decision,
  type MatchedOwner,
  type RecordInput,
  type RequiredWorkloads,
  type RotationState,
  type Routed,
  type Workloads,
} from '../../engine/index.js';
import { valueOf, type StoredRecord } from '../../records/index.js';
import { RotationsRepository } from '../rotations/rotations.repository.js';
import type { RouterSnapshot } from '../snapshot/router-snapshot.js';
import { AccountMatcher } from './account-matcher.js';
import { requiredUsers, WorkloadReader, type WorkloadReads } from './workload-reader.js';

/** Number of decisions between two reports of progress. */
const CHUNK = 200;

/** How decisions read what they need in addition to the snapshot and the records. */
export interface DecisionReads extends WorkloadReads {
  /** The state of the router's own rotation. */
  readonly rotation: RotationState;
  /** Locks the counts of users before they are read. Simulations leave it out. */
  readonly lockUsers?: (emails: readonly string[]) => Promise<void>;
  /** True when the records do not exist, so that their owners' counts do not contain them yet. */
  readonly imagined?: boolean;
  /** Called after each 200 decisions with the number of decisions so far. */
  readonly onProgress?: (decided: number) => void;
}

/** The decision on one record. */
export interface Decided {
  readonly record: StoredRecord;
  readonly decision: Decision;
}

/** Decisions on several records, in their order, and the changed rotations by key. */
export interface Decisions {
  readonly decided: readonly Decided[];
  readonly rotations: ReadonlyMap<string, RotationState>;
}

/** A record that has been routed. */
interface RoutedInput {
  readonly record: StoredRecord;
  readonly input: RecordInput;
  /** The refusal, or the pool for the record. */
  readonly routed: Routed;
  readonly matchedOwner: MatchedOwner | null;
}

/** The state that changes from one decision to the next. */
interface DecisionState {
  readonly rotations: Map<string, RotationState>;
  workloads: Workloads;
}

/**
 * Decides on records: routes each record, reads the state that the pools need, then decides one record after
 * the other.
 */
@Injectable()
export class Decider {
  constructor(
    private readonly engine: AssignmentEngine,
    private readonly matcher: AccountMatcher,
    private readonly workloads: WorkloadReader,
    private readonly rotations: RotationsRepository,
  ) {}

  /**
   * Decides on each record in the order given. Each decision uses the rotations and workloads that the
   * decision before it has left. Dispatch, simulation and replay all use this method. It writes nothing.
   */
  async decideAll(
    snapshot: RouterSnapshot,
    records: readonly StoredRecord[],
    reads: DecisionReads,
  ): Promise<Decisions> {
    const matched = await this.matcher.match(reads.db, snapshot, records);
    const routed = records.map((record): RoutedInput => {
      const input = recordInput(record);
      const matchedOwner = matched.get(record.id) ?? null;
      return { record, input, routed: this.engine.route(snapshot.compiled, input), matchedOwner };
    });
    const state = await this.read(snapshot, routed, reads);
    const moved = new Map<string, RotationState>();
    const decided: Decided[] = [];
    for (const each of routed) {
      decided.push({
        record: each.record,
        decision: this.decide(snapshot, each, { state, moved, at: reads.at }),
      });
      if (reads.onProgress === undefined || decided.length % CHUNK !== 0) continue;
      reads.onProgress(decided.length);
      // This gives the program time to display the progress.
      await new Promise(setImmediate);
    }
    return { decided, rotations: moved };
  }

  /** Takes the locks of the users, then reads rotations and workloads. All statements are sent together. */
  private async read(
    snapshot: RouterSnapshot,
    routed: readonly RoutedInput[],
    reads: DecisionReads,
  ): Promise<DecisionState> {
    const required = joinRequired(routed.map((each) => this.required(snapshot, each)));
    const users = requiredUsers(required);
    const keys = new Set(
      routed.map((each) => rotationKeyOf(each.routed)).filter((key) => key !== ROUTER_ROTATION_KEY),
    );
    const { account, id: routerId } = snapshot;
    const [, rotations, workloads] = await Promise.all([
      users.length > 0 ? reads.lockUsers?.(users) : undefined,
      this.rotations.read(reads.db, account, { routerId, keys: [...keys] }),
      this.workloads.read(snapshot, required, reads),
    ]);
    return {
      rotations: new Map([...rotations, [ROUTER_ROTATION_KEY, reads.rotation]]),
      workloads: reads.imagined === true ? withImagined(snapshot, routed, workloads) : workloads,
    };
  }

  private required(
    snapshot: RouterSnapshot,
    { input, routed, matchedOwner }: RoutedInput,
  ): RequiredWorkloads {
    const { users } = snapshot.directory;
    const { capacities } = snapshot;
    return this.engine.requiredWorkloads(routed, { record: input, users, matchedOwner, capacities });
  }

  private decide(
    { directory, capacities, ownerField }: RouterSnapshot,
    { input, routed, matchedOwner }: RoutedInput,
    {
      state,
      moved,
      at,
    }: { readonly state: DecisionState; readonly moved: Map<string, RotationState>; readonly at: Date },
  ): Decision {
    const key = rotationKeyOf(routed);
    const decision = this.engine.decide(routed, {
      record: input,
      users: directory.users,
      matchedOwner,
      rotation: state.rotations.get(key) ?? EMPTY_ROTATION_STATE,
      at,
      workloads: state.workloads,
      capacities,
    });
    if (!decision.assigned) return decision;
    if (decision.rotation !== null) {
      state.rotations.set(key, decision.rotation);
      moved.set(key, decision.rotation);
    }
    const assignment = { record: input, ownerField, owner: decision.user };
    state.workloads = workloadsAfter(state.workloads, assignment, capacities);
    return decision;
  }
}

/** Returns the key of the rotation that a routed record uses; empty for the router's own rotation. */
function rotationKeyOf(routed: Routed): string {
  return routed.refused ? ROUTER_ROTATION_KEY : routed.rotationKey;
}

function recordInput(record: StoredRecord): RecordInput {
  const { id, object_type: objectType } = record;
  return { id, objectType, get: (name) => valueOf(record, name) };
}

/**
 * Adds the records to the counts of their owners, as if they existed. A decision evaluates the present owner
 * without the record, so it subtracts the record from the count.
 */
function withImagined(
  { ownerField, capacities }: RouterSnapshot,
  routed: readonly RoutedInput[],
  workloads: Workloads,
): Workloads {
  return workloadsWith(
    workloads,
    routed.map(({ input }) => input),
    { ownerField, capacities },
  );
}

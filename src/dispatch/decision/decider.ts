import { Injectable } from '@nestjs/common';
import {
  AssignmentEngine,
  joinRequired,
  ROUTER_ROTATION_KEY,
  workloadsWith,
  type Decision,
  type MatchedOwner,
  type RecordInput,
  type RequiredWorkloads,
  type RotationState,
  type Workloads,
} from '../../engine/index.js';
import { valueOf, type StoredRecord } from '../../records/index.js';
import { RotationsRepository } from '../rotations/rotations.repository.js';
import type { RouterSnapshot } from '../snapshot/router-snapshot.js';
import { AccountMatcher } from './account-matcher.js';
import { DecisionState, rotationKeyOf, type RoutedInput } from './decision-state.js';
import { requiredUsers, WorkloadReader, type WorkloadReads } from './workload-reader.js';

/** Number of decisions between two reports of progress. */
const CHUNK = 200;

/** How decisions read what they need in addition to the snapshots and the records. */
export interface DecisionReads extends WorkloadReads {
  /** Locks the counts of users before they are read. Simulations leave it out. */
  readonly lockUsers?: (emails: readonly string[]) => Promise<void>;
  /** True when the records do not exist, so that their owners' counts do not contain them yet. */
  readonly imagined?: boolean;
  /** Called after each 200 decisions with the number of decisions so far. */
  readonly onProgress?: (decided: number) => void;
}

/** What one router decides on. */
export interface RouterRecords {
  readonly snapshot: RouterSnapshot;
  readonly records: readonly StoredRecord[];
  /** The state of the router's own rotation. */
  readonly rotation: RotationState;
}

/** The decision on one record. */
export interface Decided {
  readonly record: StoredRecord;
  readonly decision: Decision;
}

/** The decisions of one router, in the order of its records, and its changed rotations by key. */
export interface Decisions {
  readonly snapshot: RouterSnapshot;
  readonly decided: readonly Decided[];
  readonly rotations: ReadonlyMap<string, RotationState>;
}

/** The records of one router, routed. */
interface RoutedRecords extends RouterRecords {
  readonly routed: readonly RoutedInput[];
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
   * Decides on the records of each router, one router after the other, each record in the order given. Each
   * decision uses the rotations and workloads that the decision before it has left. Dispatch, simulation and
   * replay all use this method. It writes nothing.
   * @param routers those of one version of one account that share counts (`sharesCounts`); no record twice
   * @returns the decisions of each router, in the same order
   */
  async decideAll(routers: readonly RouterRecords[], reads: DecisionReads): Promise<Decisions[]> {
    const matched = await this.match(routers, reads);
    const all = routers.map((router): RoutedRecords => ({ ...router, routed: this.route(router, matched) }));
    const state = await this.read(all, reads);
    const decisions: Decisions[] = [];
    let count = 0;
    for (const { snapshot, routed } of all) {
      const decided: Decided[] = [];
      for (const each of routed) {
        decided.push({ record: each.record, decision: state.decide(snapshot, each, reads.at) });
        count += 1;
        if (reads.onProgress === undefined || count % CHUNK !== 0) continue;
        reads.onProgress(count);
        // This gives the program time to display the progress.
        await new Promise(setImmediate);
      }
      decisions.push({ snapshot, decided, rotations: state.movedOf(snapshot.id) });
    }
    return decisions;
  }

  /** Finds the companies of the records of all routers that match accounts, with one statement. */
  private async match(
    routers: readonly RouterRecords[],
    { db }: DecisionReads,
  ): Promise<ReadonlyMap<string, MatchedOwner>> {
    const matching = routers.filter(({ snapshot }) => snapshot.matchesAccounts);
    const [first] = matching;
    if (first === undefined) return new Map();
    const records = matching.flatMap((router) => router.records);
    return this.matcher.match(db, first.snapshot, records);
  }

  private route(
    { snapshot, records }: RouterRecords,
    matched: ReadonlyMap<string, MatchedOwner>,
  ): readonly RoutedInput[] {
    return records.map((record) => {
      const input = recordInput(record);
      const matchedOwner = matched.get(record.id) ?? null;
      return { record, input, routed: this.engine.route(snapshot.compiled, input), matchedOwner };
    });
  }

  /** Takes the locks of the users, then reads rotations and workloads. All statements are sent together. */
  private async read(all: readonly RoutedRecords[], reads: DecisionReads): Promise<DecisionState> {
    const [first] = all;
    if (first === undefined) return new DecisionState(this.engine, new Map(), new Map());
    const required = joinRequired(
      all.flatMap(({ snapshot, routed }) => routed.map((each) => this.required(snapshot, each))),
    );
    const users = requiredUsers(required);
    const wanted = all.flatMap(({ snapshot: { id: routerId }, routed }) => {
      const keys = new Set(routed.map((each) => rotationKeyOf(each.routed)));
      return [...keys].filter((key) => key !== ROUTER_ROTATION_KEY).map((key) => ({ routerId, key }));
    });
    const [, stored, workloads] = await Promise.all([
      users.length > 0 ? reads.lockUsers?.(users) : undefined,
      this.rotations.read(reads.db, first.snapshot.account, wanted),
      this.workloads.read(first.snapshot, required, reads),
    ]);
    const rotations = new Map(
      all.map(({ snapshot, rotation }) => [snapshot.id, new Map([[ROUTER_ROTATION_KEY, rotation]])]),
    );
    for (const { routerId, key, state } of stored) rotations.get(routerId)?.set(key, state);
    const counted = reads.imagined === true ? withImagined(all, workloads) : workloads;
    return new DecisionState(this.engine, rotations, counted);
  }

  private required(
    { directory: { users }, capacities }: RouterSnapshot,
    { input, routed, matchedOwner }: RoutedInput,
  ): RequiredWorkloads {
    return this.engine.requiredWorkloads(routed, { record: input, users, matchedOwner, capacities });
  }
}

function recordInput(record: StoredRecord): RecordInput {
  const { id, object_type: objectType } = record;
  return { id, objectType, get: (name) => valueOf(record, name) };
}

/**
 * Adds the records to the counts of their owners, as if they existed. A decision evaluates the present owner
 * without the record, so it subtracts the record from the count.
 */
function withImagined(all: readonly RoutedRecords[], workloads: Workloads): Workloads {
  return all.reduce(
    (counted, { snapshot: { ownerField, capacities }, routed }) =>
      workloadsWith(
        counted,
        routed.map(({ input }) => input),
        { ownerField, capacities },
      ),
    workloads,
  );
}

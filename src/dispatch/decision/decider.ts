import { Injectable } from '@nestjs/common';
import type { LastAssignment } from '../../assignments/index.js';
import {
  AssignmentEngine,
  joinRequired,
  ROUTER_ROTATION_KEY,
  workloadsWith,
  type MatchedOwner,
  type RecordInput,
  type RequiredWorkloads,
  type Workloads,
} from '../../engine/index.js';
import { shownRecord, valueOf, type StoredRecord } from '../../records/index.js';
import { RotationsRepository, type RotationKey } from '../rotations/rotations.repository.js';
import type { RouterSnapshot } from '../snapshot/router-snapshot.js';
import { AccountMatcher } from './account-matcher.js';
import type { Decided, Decisions, RouterRecords } from './decided.js';
import { DecisionState, rotationKeysOf, type RoutedInput } from './decision-state.js';
import { RouterState } from './router-state.js';
import { WorkloadReader, type WorkloadReads } from './workload-reader.js';

/** Milliseconds of decisions after which the process does other work. */
const BREATH = 10;

/** How decisions read what they need in addition to the snapshots and the records. */
export interface DecisionReads extends WorkloadReads {
  /** True when the records do not exist, so that their owners' counts do not contain them yet. */
  readonly imagined?: boolean;
  /**
   * Most members of the pools that decide, but for one record. The records behind them are left out. Default:
   * any number.
   */
  readonly mostMembers?: number;
}

/** When decisions are made, and who is told of their progress. */
export interface DecisionRun {
  readonly at: Date;
  /** Called now and then with the number of decisions so far. */
  readonly onProgress?: ((decided: number) => void) | undefined;
}

/** The records of one router, routed. */
interface RoutedRecords extends RouterRecords {
  readonly routed: readonly RoutedInput[];
}

/** Records that are routed, with what was read to decide on them. */
export interface ReadDecisions {
  readonly all: readonly RoutedRecords[];
  readonly state: DecisionState;
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
   * decision uses the rotations and workloads that the decision before it has left. It writes nothing.
   * @param routers those of one version of one account that set the same owner field; no record twice
   * @returns the decisions of each router, in the same order
   */
  async decideAll(routers: readonly RouterRecords[], reads: DecisionReads): Promise<Decisions[]> {
    return this.decide(await this.read(routers, reads), { at: reads.at });
  }

  /** Reads all that `decide` needs: the first half of `decideAll`. */
  async read(routers: readonly RouterRecords[], reads: DecisionReads): Promise<ReadDecisions> {
    const matched = await this.match(routers, reads);
    const routed = routers.map((router): RoutedRecords => ({
      ...router,
      routed: this.route(router, matched),
    }));
    const all = first(routed, reads.mostMembers ?? Infinity);
    return { all, state: await this.readState(all, reads) };
  }

  /** Decides on what was read, once. Other work of the process goes on meanwhile. */
  async decide({ all, state }: ReadDecisions, { at, onProgress }: DecisionRun): Promise<Decisions[]> {
    const decisions: Pick<Decisions, 'snapshot' | 'decided'>[] = [];
    let count = 0;
    let since = performance.now();
    for (const { snapshot, routed } of all) {
      const decided: Decided[] = [];
      for (const each of routed) {
        decided.push({ record: each.record, decision: state.decide(snapshot, each, at) });
        count += 1;
        if (performance.now() - since < BREATH) continue;
        onProgress?.(count);
        await new Promise(setImmediate);
        since = performance.now();
      }
      decisions.push({ snapshot, decided });
    }
    // A later router may have taken a record that an earlier one gave.
    return decisions.map((each) => ({ ...each, ...state.changesOf(each.snapshot.id) }));
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
      const input = recordInput(record, snapshot);
      const matchedOwner = matched.get(record.id) ?? null;
      return { record, input, routed: this.engine.route(snapshot.compiled, input), matchedOwner };
    });
  }

  /** Reads rotations and workloads. The statements are sent together. */
  private async readState(all: readonly RoutedRecords[], reads: DecisionReads): Promise<DecisionState> {
    const [first] = all;
    const start = { routers: new Map<string, RouterState>(), workloads: new Map(), held: heldOf(all) };
    if (first === undefined) return new DecisionState(this.engine, start);
    const required = joinRequired(
      all.flatMap(({ snapshot, routed }) => routed.map((each) => this.required(snapshot, each))),
    );
    const [stored, workloads] = await Promise.all([
      this.rotations.read(reads.db, first.snapshot.account, all.flatMap(wantedRotations)),
      this.workloads.read(first.snapshot, required, { ...reads, mayReturn: start.held.size }),
    ]);
    for (const { snapshot, rotation, turns = [] } of all) {
      const own = stored.filter(({ routerId }) => routerId === snapshot.id);
      const rotations = new Map(own.map(({ key, state }) => [key, state]));
      const router = new RouterState(snapshot, rotations.set(ROUTER_ROTATION_KEY, rotation));
      router.settle(turns);
      start.routers.set(snapshot.id, router);
    }
    const counted = reads.imagined === true ? withImagined(all, workloads) : workloads;
    return new DecisionState(this.engine, { ...start, workloads: counted });
  }

  private required(
    { directory: { users }, capacities }: RouterSnapshot,
    { input, routed, matchedOwner }: RoutedInput,
  ): RequiredWorkloads {
    return this.engine.requiredWorkloads(routed, { record: input, users, matchedOwner, capacities });
  }
}

/** Returns the first records, as many as are decided on among so many members, and one at least. */
function first(all: readonly RoutedRecords[], mostMembers: number): RoutedRecords[] {
  let members = 0;
  return all.map((router) => ({
    ...router,
    routed: router.routed.filter(({ routed }) => {
      const isFirst = members === 0;
      // A record that is refused takes its time, too.
      members += routed.refused ? 1 : routed.candidates.length + 1;
      return isFirst || members <= mostMembers;
    }),
  }));
}

/** The rotations of rules that give turns or get them back. */
function wantedRotations({ snapshot: { id: routerId }, routed, turns = [] }: RoutedRecords): RotationKey[] {
  const giving = routed.flatMap((each) => rotationKeysOf(each.routed));
  const keys = new Set([...giving, ...turns.map(({ rotationKey }) => rotationKey)]);
  return [...keys].filter((key) => key !== ROUTER_ROTATION_KEY).map((key) => ({ routerId, key }));
}

function heldOf(all: readonly RoutedRecords[]): ReadonlyMap<string, LastAssignment> {
  return new Map(all.flatMap(({ held }) => [...(held ?? [])]));
}

/** The record with the e-mails of users in its user fields. */
function recordInput(record: StoredRecord, { catalog, directory }: RouterSnapshot): RecordInput {
  const { id, object_type: objectType } = record;
  const shown = shownRecord(record, directory.names, catalog.userFieldNames(objectType));
  return { id, objectType, get: (name) => valueOf(shown, name) };
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

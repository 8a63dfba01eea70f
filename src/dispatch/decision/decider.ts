import { Inject, Injectable } from '@nestjs/common';
import type { LastAssignment } from '../../assignments/index.js';
import {
  Book,
  countMembers,
  needs,
  ROUTER_ROTATION_KEY,
  routeRecord,
  type Ask,
  type Changes,
  type Decision,
  type EligibilityCheck,
  type HeldAssignment,
  type Needs,
  type OwedTurn,
  type RecordInput,
  type RotationState,
} from '../../engine/index.js';
import { shownRecord, valueOf, type StoredRecord } from '../../records/index.js';
import { ELIGIBILITY_CHECKS } from '../../routers/index.js';
import { RotationsRepository, type RotationKey } from '../rotations/rotations.repository.js';
import type { RouterSnapshot } from '../snapshot/router-snapshots.js';
import { AccountMatcher } from './account-matcher.js';
import { WorkloadReader, type WorkloadReads } from './workload-reader.js';

/** Milliseconds of decisions after which the process does other work. */
const BREATH = 10;

const MINUTE = 60_000;

/** What one router decides on. */
export interface RouterRecords {
  readonly snapshot: RouterSnapshot;
  readonly records: readonly StoredRecord[];
  /** The state of the router's own rotation. */
  readonly rotation: RotationState;
  /** The turns that its rotations get back before they give others, in order. */
  readonly turns?: readonly OwedTurn[];
  /** The assignments by which users hold the records, by record. */
  readonly held?: ReadonlyMap<string, LastAssignment>;
}

/** The decision of a router on one record. */
export interface Decided {
  readonly snapshot: RouterSnapshot;
  readonly record: StoredRecord;
  readonly decision: Decision;
}

/** The decisions of one transaction, in their order, and what they change besides the records. */
export interface Decisions {
  readonly decided: readonly Decided[];
  readonly changes: Changes;
}

/** How decisions read what they need in addition to the snapshots and the records. */
export interface DecisionReads extends WorkloadReads {
  /** True when the records do not exist, so that their owners' counts do not contain them yet. */
  readonly imagined?: boolean;
  /** Most members of the pools that decide, each step counted; records behind them are left out. */
  readonly mostMembers?: number;
}

/** A record and what is asked about it. */
interface Asked extends Ask {
  readonly snapshot: RouterSnapshot;
  readonly stored: StoredRecord;
}

/** What is asked, and the book that answers: all that this needs was read. */
export interface ReadDecisions {
  readonly asked: readonly Asked[];
  /** Undefined where no router takes part. */
  readonly book: Book | undefined;
}

/** Routes records, reads the facts that their pools need, then decides one record after the other. */
@Injectable()
export class Decider {
  constructor(
    @Inject(ELIGIBILITY_CHECKS) private readonly checks: readonly EligibilityCheck[],
    private readonly matcher: AccountMatcher,
    private readonly workloads: WorkloadReader,
    private readonly rotations: RotationsRepository,
  ) {}

  /**
   * Routes the records of each router, one router after the other, and reads all that decisions need.
   * @param routers those of one version of one account that set the same owner field; no record twice
   */
  async read(routers: readonly RouterRecords[], reads: DecisionReads): Promise<ReadDecisions> {
    const matched = await this.matcher.match(reads.db, routers);
    const all = routers.flatMap(({ snapshot, records }) =>
      records.map((stored): Asked => {
        const { compiled: router } = snapshot;
        const record = recordInput(stored, snapshot);
        const matchedOwner = matched.get(stored.id) ?? null;
        return { snapshot, stored, router, record, routed: routeRecord(router, record), matchedOwner };
      }),
    );
    const asked = first(all, reads.mostMembers ?? Infinity);
    return { asked, book: await this.open(routers, asked, reads) };
  }

  /**
   * Decides on what was read, in its order, and writes nothing. Each decision uses what the one before it has
   * left. Other work of the process goes on meanwhile. @param onProgress called now and then
   */
  async decide({ asked, book }: ReadDecisions, onProgress?: (decided: number) => void): Promise<Decisions> {
    const decided: Decided[] = [];
    if (book === undefined) return { decided, changes: { rotations: [], returned: [], owed: [] } };
    let since = performance.now();
    for (const { snapshot, stored, ...ask } of asked) {
      decided.push({ snapshot, record: stored, decision: book.decide(ask) });
      if (performance.now() - since < BREATH) continue;
      onProgress?.(decided.length);
      await new Promise(setImmediate);
      since = performance.now();
    }
    return { decided, changes: book.changes };
  }

  /** Reads rotations and workloads, and opens the book on them. The statements are sent together. */
  private async open(
    routers: readonly RouterRecords[],
    asked: readonly Asked[],
    reads: DecisionReads,
  ): Promise<Book | undefined> {
    const [any] = routers;
    if (any === undefined) return undefined;
    const { account, directory, capacities } = any.snapshot;
    const { users, names } = directory;
    const held = new Map(routers.flatMap((router) => heldRecords(router, reads.at)));
    const needed = needs(asked, { users, capacities });
    const [stored, workloads] = await Promise.all([
      this.rotations.read(reads.db, account, wantedRotations(routers, needed)),
      this.workloads.read(any.snapshot, needed, { ...reads, mayReturn: held.size }),
    ]);
    const own = routers.map(({ snapshot: { id: routerId }, rotation: state }) => ({
      routerId,
      key: ROUTER_ROTATION_KEY,
      state,
    }));
    const compiled = new Map(routers.map(({ snapshot }) => [snapshot.id, snapshot.compiled]));
    const rotations = [...own, ...stored];
    const { at } = reads;
    const facts = { routers: compiled, users, capacities, at, workloads, rotations, held };
    const book = new Book(this.checks, facts);
    for (const { oldOwner, newOwner, ...turn } of routers.flatMap(({ turns = [] }) => turns)) {
      const charged = newOwner === null ? null : names.emailOf(newOwner);
      book.settle({ ...turn, oldOwner: names.emailOf(oldOwner), newOwner: charged });
    }
    if (reads.imagined === true) book.imagine(asked);
    return book;
  }
}

/** Returns the first asks, as many as are decided among so many members, and one at least. */
function first(all: readonly Asked[], mostMembers: number): Asked[] {
  let members = 0;
  return all.filter(({ routed }, index) => {
    // A record that is refused takes its time, too.
    members += routed.refused ? 1 : countMembers(routed) + 1;
    return index === 0 || members <= mostMembers;
  });
}

/** The rotations that give turns or get them back, but for those of the routers themselves. */
function wantedRotations(routers: readonly RouterRecords[], { rotations }: Needs): RotationKey[] {
  const getting = routers.flatMap(({ turns = [] }) =>
    turns.map(({ routerId, rotationKey: key }): RotationKey => ({ routerId, key })),
  );
  const wanted = new Map([...rotations, ...getting].map((each) => [`${each.routerId} ${each.key}`, each]));
  return [...wanted.values()].filter(({ key }) => key !== ROUTER_ROTATION_KEY);
}

/**
 * The assignments that are returned where a record gets another owner, by record: those by which the present
 * owners got them, within the minutes of the routers that made them.
 */
function heldRecords(
  { snapshot, records, held }: RouterRecords,
  at: Date,
): (readonly [string, HeldAssignment])[] {
  const { returning, ownerField, directory } = snapshot;
  return records.flatMap((record) => {
    const assignment = held?.get(record.id);
    const minutes = returning.get(assignment?.routerId ?? '');
    if (assignment === undefined || minutes === undefined) return [];
    const isRecent = at.getTime() - assignment.at.getTime() <= minutes * MINUTE;
    if (!isRecent || valueOf(record, ownerField) !== assignment.user) return [];
    return [[record.id, { ...assignment, user: directory.names.emailOf(assignment.user) }] as const];
  });
}

/** The record with the e-mails of users in its user fields. */
function recordInput(record: StoredRecord, { catalog, directory }: RouterSnapshot): RecordInput {
  const { id, object_type: objectType } = record;
  const shown = shownRecord(record, directory.names, catalog.userFieldNames(objectType));
  return { id, objectType, get: (name) => valueOf(shown, name) };
}

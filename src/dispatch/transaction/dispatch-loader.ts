import { Injectable } from '@nestjs/common';
import { LOCK_ACCOUNT, type AccountContext } from '../../accounts/index.js';
import {
  ReturnedAssignmentsRepository,
  type LastAssignment,
  type TurnToReturn,
} from '../../assignments/index.js';
import type { AccountConfiguration } from '../../configuration/index.js';
import type { Queryable, Transaction } from '../../database/index.js';
import { decodeRotationState, ROUTER_ROTATION_KEY, type RotationState } from '../../engine/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { OBJECT_TYPES, type ObjectType } from '../../fields/index.js';
import type { StoredRecord } from '../../records/index.js';
import type { RouterRecords } from '../decision/decider.js';
import { RouterSnapshots, type RouterSnapshot } from '../snapshot/router-snapshots.js';
import { AssignmentHooks } from './assignment-hooks.js';
import * as statements from './dispatch.statements.js';
import { refusalOf, type Left, type Outcome, type Run } from './run.js';

/** Most records of a transaction: many share a commit, and it stays short. */
export const MOST_AT_ONCE = 64;

/** Most records where long fields are read, each of which may have a megabyte. */
const MOST_WITH_LONG_FIELDS = 8;

/** Most returned turns that one transaction takes over. The next one takes the others. */
const MOST_TURNS = 1_000;

/** Most members of their pools, added up: a turn that is returned changes the credits of all. */
const MOST_MEMBERS_OF_TURNS = 50_000;

/** What a transaction decides on, as of one version of the configuration. */
export interface RunPlan {
  readonly account: AccountContext;
  /** Those that take part. */
  readonly runs: readonly Run[];
  /** Their routers, by id. They set the same owner field of the same object type. */
  readonly snapshots: ReadonlyMap<string, RouterSnapshot>;
  /** The runs of routers that cannot run. */
  readonly refused: ReadonlyMap<Run, Outcome>;
  /** Names of the long fields that no decision of theirs reads. */
  readonly unread: readonly string[];
}

/** What a transaction has locked and read. */
export interface Loaded {
  /** The version of the account's configuration, which stays until the transaction ends. */
  readonly version: string;
  /** The database's clock, later than every change that was read: microseconds since 1970. */
  readonly microseconds: number;
  readonly routers: readonly RouterRecords[];
  /** The runs of which more is known than that they are for later. */
  readonly ended: ReadonlyMap<Run, Outcome | Left>;
}

/** A record, or none; and the state of each router's own rotation, in one row only, where one has a turn. */
type Row = { [K in keyof StoredRecord]: StoredRecord[K] | null } & {
  rotations: Readonly<Record<string, unknown>> | null;
  microseconds: number;
};

/** Says what takes part in a transaction, takes its locks, and reads under them what decisions need. */
@Injectable()
export class DispatchLoader {
  constructor(
    private readonly snapshots: RouterSnapshots,
    private readonly hooks: AssignmentHooks,
    private readonly returned: ReturnedAssignmentsRepository,
  ) {}

  /**
   * Plans a transaction: the first router that can run takes part, and those that set the same owner field.
   * So they share all counts, and none changes a company by whose owner another one decides.
   */
  plan({ accountId }: AccountContext, configuration: AccountConfiguration, runs: readonly Run[]): RunPlan {
    const account = { accountId };
    const snapshots = new Map<string, RouterSnapshot>();
    const errors = new Map<string, DomainError>();
    let first: RouterSnapshot | undefined;
    for (const routerId of new Set(runs.map((run) => run.routerId))) {
      try {
        const snapshot = this.snapshots.get(account, configuration, routerId);
        first ??= snapshot;
        const { objectType, ownerField } = first;
        const isAlike = snapshot.objectType === objectType && snapshot.ownerField === ownerField;
        if (isAlike) snapshots.set(routerId, snapshot);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        errors.set(routerId, error);
      }
    }
    const refused = new Map<Run, Outcome>();
    for (const run of runs) {
      const error = errors.get(run.routerId);
      if (error !== undefined) refused.set(run, { ok: false, error, isOfRouter: true });
    }
    const all = [...snapshots.values()];
    const long = first === undefined ? [] : configuration.catalog.longFields(first.objectType);
    // A hook may read any field.
    const unread = long.filter((name) => this.hooks.isEmpty && all.every((one) => one.unread.includes(name)));
    const most = unread.length < long.length ? MOST_WITH_LONG_FIELDS : MOST_AT_ONCE;
    const taking = runs.filter(({ routerId }) => snapshots.has(routerId)).slice(0, most);
    return { account, runs: taking, snapshots, refused, unread };
  }

  /** Waits for records, then for the account. A later `load` in the transaction finds them locked. */
  async lock(tx: Transaction, { accountId }: AccountContext, runs: readonly Run[]): Promise<void> {
    await Promise.all([
      lockRecords(tx, accountId, { ids: objectIds(runs), types: OBJECT_TYPES }),
      lockAccount(tx, accountId),
    ]);
  }

  /**
   * Waits for the account, and reads the records that nobody else has locked, and what is returned. The
   * statements are sent together.
   * @param waits for the records, too: before the account, for which others would wait meanwhile
   * @returns undefined for an account that does not exist
   */
  async load(tx: Transaction, plan: RunPlan, waits: boolean): Promise<Loaded | undefined> {
    const { snapshots, unread, runs } = plan;
    const { accountId } = plan.account;
    const ids = objectIds(runs);
    // None takes part: then nothing is read.
    const objectType = [...snapshots.values()][0]?.objectType ?? 'contacts';
    const values = [accountId, ids, [...snapshots.keys()], unread, objectType];
    const [, version, rows, turns, held] = await Promise.all([
      waits ? lockRecords(tx, accountId, { ids, types: [objectType] }) : undefined,
      lockAccount(tx, accountId),
      tx.query<Row>(statements.READ_AND_LOCK, values),
      this.turnsOf(tx, [...snapshots.values()]),
      this.heldOf(tx, plan),
    ]);
    if (version === undefined) return undefined;
    const { records, rotationOf, microseconds } = contentOf(rows);
    const missing = ids.filter((id) => !records.has(id));
    const existing =
      missing.length === 0 ? new Map<string, ObjectType>() : await readExisting(tx, accountId, missing);

    const ended = new Map<Run, Outcome | Left>(plan.refused);
    const decidable = new Map([...snapshots.keys()].map((id): [string, StoredRecord[]] => [id, []]));
    const stopped = new Set<string>();
    for (const run of runs) {
      const { routerId, objectId } = run;
      const snapshot = snapshots.get(routerId);
      if (snapshot === undefined || stopped.has(routerId)) continue;
      const type = existing.get(objectId);
      if (type === objectType) {
        ended.set(run, 'held');
        stopped.add(routerId);
        continue;
      }
      const record = records.get(objectId);
      const other = type === undefined ? undefined : { object_type: type, archived_at: null };
      const error = refusalOf(record ?? other, objectType);
      if (error !== undefined) ended.set(run, { ok: false, error });
      else if (record !== undefined) decidable.get(routerId)?.push(record);
    }
    const routers = [...snapshots].map(([id, snapshot]) => ({
      snapshot,
      records: decidable.get(id) ?? [],
      rotation: rotationOf(id),
      turns: turns.filter(({ routerId }) => routerId === id),
      held,
    }));
    return { version, microseconds, routers, ended };
  }

  /** Reads what a router decides on, without locks. It takes no record from anybody. */
  async readOnly(
    db: Queryable,
    snapshot: RouterSnapshot,
    objectIds: readonly string[],
  ): Promise<RouterRecords & { readonly at: Date }> {
    const values = [snapshot.account.accountId, objectIds, [snapshot.id], snapshot.unread];
    const [rows, turns] = await Promise.all([
      db.query<Row>(statements.READ_ONLY, values),
      this.turnsOf(db, [snapshot]),
    ]);
    const { records, rotationOf, microseconds } = contentOf(rows);
    const at = new Date(microseconds / 1_000);
    return { snapshot, records: [...records.values()], rotation: rotationOf(snapshot.id), turns, at };
  }

  /** The turns that are taken over: as many as take less than a tenth of a second, and one at least. */
  private async turnsOf(db: Queryable, all: readonly RouterSnapshot[]): Promise<readonly TurnToReturn[]> {
    const turning = all.filter(({ id, returning }) => returning.has(id));
    const [any] = turning;
    if (any === undefined) return [];
    const members = Math.max(1, ...turning.map(({ compiled }) => compiled.plan?.mostMembers ?? 0));
    const most = Math.min(MOST_TURNS, Math.max(1, Math.floor(MOST_MEMBERS_OF_TURNS / members)));
    return this.returned.readTurns(db, any.account, { routerIds: turning.map(({ id }) => id), most });
  }

  /** The assignments by which users hold the records that may be taken from them, by record. */
  private async heldOf(
    tx: Transaction,
    { account, snapshots, runs }: RunPlan,
  ): Promise<ReadonlyMap<string, LastAssignment>> {
    // They set the same owner field, so any of them may take what another one gave.
    const [any] = snapshots.values();
    const minutes = any?.returning;
    const taking = runs.filter(({ routerId }) => {
      const settings = snapshots.get(routerId)?.compiled.plan?.settings;
      return settings?.overwrite === true || settings?.overwriteIfUnavailable === true;
    });
    if (minutes === undefined || minutes.size === 0 || taking.length === 0) return new Map();
    return this.returned.findLast(tx, account, { objectIds: objectIds(taking), minutes });
  }
}

/** Waits for records that somebody else has locked, and locks them. The account's lock comes after them. */
async function lockRecords(
  tx: Transaction,
  accountId: string,
  { ids, types }: { readonly ids: readonly string[]; readonly types: readonly ObjectType[] },
): Promise<void> {
  const places = [...ids].sort().flatMap((id) => types.map((type) => ({ id, type })));
  await tx.query(statements.LOCK_RECORDS, [
    accountId,
    places.map(({ id }) => id),
    places.map(({ type }) => type),
  ]);
}

/** Waits for the account's lock. @returns the version of its configuration; undefined for no account */
async function lockAccount(tx: Transaction, accountId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ config_version: string }>(LOCK_ACCOUNT, [accountId]);
  return row?.config_version;
}

/** @returns the types of those that exist */
async function readExisting(
  tx: Transaction,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ObjectType>> {
  const rows = await tx.query<{ id: string; objectType: ObjectType }>(statements.READ_EXISTING, [
    accountId,
    ids,
  ]);
  return new Map(rows.map(({ id, objectType }) => [id, objectType]));
}

function contentOf(rows: readonly Row[]): {
  readonly records: ReadonlyMap<string, StoredRecord>;
  readonly rotationOf: (routerId: string) => RotationState;
  readonly microseconds: number;
} {
  const records = new Map<string, StoredRecord>();
  for (const { rotations: _, microseconds: __, ...record } of rows) {
    if (typeof record.id === 'string') records.set(record.id, record as StoredRecord);
  }
  const states = rows.find(({ rotations }) => rotations !== null)?.rotations ?? {};
  return {
    records,
    rotationOf: (routerId) => decodeRotationState(states[routerId], ROUTER_ROTATION_KEY),
    // The clock of a row is read after its record is locked: only the latest is later than every change.
    microseconds: Math.max(...rows.map((row) => row.microseconds)),
  };
}

function objectIds(runs: readonly Run[]): string[] {
  return runs.map(({ objectId }) => objectId);
}

import { Injectable } from '@nestjs/common';
import { LOCK_ACCOUNT, type AccountContext } from '../../accounts/index.js';
import { AssignmentsRepository, type LastAssignment } from '../../assignments/index.js';
import type { AccountConfiguration } from '../../configuration/index.js';
import type { Queryable, Transaction } from '../../database/index.js';
import {
  decodeRotationState,
  ROUTER_ROTATION_KEY,
  type OwedTurn,
  type RotationState,
} from '../../engine/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { OBJECT_TYPES, type ObjectType } from '../../fields/index.js';
import type { StoredRecord } from '../../records/index.js';
import type { RouterRecords } from '../decision/decider.js';
import { RouterSnapshots, type RouterSnapshot } from '../snapshot/router-snapshots.js';
import { AssignmentHooks } from './assignment-hooks.js';
import * as statements from './dispatch.statements.js';
import { refusalOf, type Left, type Outcome, type Run } from './dispatch-result.js';

/** Most records of a transaction: many share a commit, and it stays short. */
export const MOST_AT_ONCE = 64;

/** Most records where long fields are read, each of which may have a megabyte. */
const MOST_WITH_LONG_FIELDS = 8;

/** Most returned turns that one transaction takes over. The next one takes the others. */
const MOST_TURNS = 1_000;

/** Most members of their pools, added up: a turn that is returned changes the credits of all. */
const MOST_MEMBERS_OF_TURNS = 50_000;

/** What a transaction is to run, by a configuration that may be outdated. */
export interface Planned {
  readonly account: AccountContext;
  readonly configuration: AccountConfiguration;
  readonly runs: readonly Run[];
  /** Waits for records that somebody else has locked: before the account, for which others wait meanwhile. */
  readonly waits?: boolean;
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
    private readonly assignments: AssignmentsRepository,
  ) {}

  /** Waits for records, then for the account. A later `load` in the transaction finds them locked. */
  async lock(tx: Transaction, { accountId }: AccountContext, runs: readonly Run[]): Promise<void> {
    await Promise.all([
      lockRecords(tx, accountId, { ids: objectIds(runs), types: OBJECT_TYPES }),
      lockAccount(tx, accountId),
    ]);
  }

  /**
   * Waits for the account, and reads the records that nobody else has locked, and what is returned, together.
   * Undefined for an account that does not exist.
   */
  async load(tx: Transaction, planned: Planned): Promise<Loaded | undefined> {
    const { snapshots, refused, unread, runs } = this.plan(planned);
    const { accountId } = planned.account;
    const all = [...snapshots.values()];
    const ids = objectIds(runs);
    // None takes part: then nothing is read.
    const objectType = all[0]?.objectType ?? 'contacts';
    const values = [accountId, ids, [...snapshots.keys()], unread, objectType];
    const [, version, rows, turns, held] = await Promise.all([
      planned.waits === true ? lockRecords(tx, accountId, { ids, types: [objectType] }) : undefined,
      lockAccount(tx, accountId),
      tx.query<Row>(statements.READ_AND_LOCK, values),
      this.turnsOf(tx, all),
      this.heldOf(tx, snapshots, runs),
    ]);
    if (version === undefined) return undefined;
    const { records, rotationOf, microseconds } = contentOf(rows);
    const missing = ids.filter((id) => !records.has(id));
    const existing = await readExisting(tx, accountId, missing);

    const ended = new Map<Run, Outcome | Left>(refused);
    const decidable = new Map([...snapshots.keys()].map((id): [string, StoredRecord[]] => [id, []]));
    const stopped = new Set<string>();
    for (const run of runs) {
      const { routerId, objectId } = run;
      if (stopped.has(routerId)) continue;
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

  /**
   * Says what takes part: the first router that can run, and those that set the same owner field of the same
   * object type. So they share all counts, and none changes a company by whose owner another one decides.
   */
  private plan({ account: { accountId }, configuration, runs }: Planned) {
    const snapshots = new Map<string, RouterSnapshot>();
    const refused = new Map<Run, Outcome>();
    for (const run of runs) {
      try {
        const snapshot = this.snapshots.get({ accountId }, configuration, run.routerId);
        const [first = snapshot] = snapshots.values();
        const isAlike = snapshot.objectType === first.objectType && snapshot.ownerField === first.ownerField;
        if (isAlike) snapshots.set(run.routerId, snapshot);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        refused.set(run, { ok: false, error, isOfRouter: true });
      }
    }
    const all = [...snapshots.values()];
    const long = all[0] === undefined ? [] : configuration.catalog.longFields(all[0].objectType);
    // A hook may read any field.
    const unread = long.filter((name) => this.hooks.isEmpty && all.every((one) => one.unread.includes(name)));
    const most = unread.length < long.length ? MOST_WITH_LONG_FIELDS : MOST_AT_ONCE;
    const taking = runs.filter(({ routerId }) => snapshots.has(routerId)).slice(0, most);
    return { runs: taking, snapshots, refused, unread };
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
  private async turnsOf(db: Queryable, all: readonly RouterSnapshot[]): Promise<readonly OwedTurn[]> {
    const turning = all.filter(({ id, returning }) => returning.has(id));
    const [any] = turning;
    if (any === undefined) return [];
    const members = Math.max(1, ...turning.map(({ compiled }) => compiled.plan?.mostMembers ?? 0));
    const most = Math.min(MOST_TURNS, Math.max(1, Math.floor(MOST_MEMBERS_OF_TURNS / members)));
    return this.assignments.readTurns(db, any.account, { routerIds: turning.map(({ id }) => id), most });
  }

  /** The assignments by which users hold the records that may be taken from them, by record. */
  private async heldOf(
    tx: Transaction,
    snapshots: ReadonlyMap<string, RouterSnapshot>,
    runs: readonly Run[],
  ): Promise<ReadonlyMap<string, LastAssignment>> {
    // They set the same owner field, so any of them may take what another one gave.
    const [any] = snapshots.values();
    const { account, returning: minutes } = any ?? {};
    const taking = runs.filter(({ routerId }) => {
      const settings = snapshots.get(routerId)?.compiled.plan?.settings;
      return settings?.overwrite === true || settings?.overwriteIfUnavailable === true;
    });
    if (account === undefined || !minutes?.size || taking.length === 0) return new Map();
    return this.assignments.findLast(tx, account, { objectIds: objectIds(taking), minutes });
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
  if (ids.length === 0) return new Map();
  const values = [accountId, ids];
  const rows = await tx.query<{ id: string; objectType: ObjectType }>(statements.READ_EXISTING, values);
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

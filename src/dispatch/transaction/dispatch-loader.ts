import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { AccountConfiguration } from '../../configuration/index.js';
import type { Transaction } from '../../database/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { RouterSnapshots } from '../snapshot/router-snapshots.js';
import type { RouterSnapshot } from '../snapshot/router-snapshot.js';
import { AssignmentHooks } from './assignment-hooks.js';
import { DispatchRepository, type DispatchRows } from './dispatch.repository.js';
import { ReturnsReader, type Returns } from './returns-reader.js';
import type { Run, RunPlan } from './run.js';

/** Most records of a transaction: many share a commit, and it stays short. */
export const MOST_AT_ONCE = 64;

/** Most records where long fields are read, each of which may have a megabyte. */
const MOST_WITH_LONG_FIELDS = 8;

/** What a transaction has locked and read. */
export interface Loaded extends DispatchRows {
  /** The version of the account's configuration, which stays until the transaction ends. */
  readonly version: string;
  /** Records that are not read, because somebody else has locked them. */
  readonly held: ReadonlySet<string>;
  readonly returns: Returns;
}

/** Says what takes part in a transaction, takes its locks, and reads under them what decisions need. */
@Injectable()
export class DispatchLoader {
  constructor(
    private readonly dispatches: DispatchRepository,
    private readonly snapshots: RouterSnapshots,
    private readonly hooks: AssignmentHooks,
    private readonly returns: ReturnsReader,
  ) {}

  /**
   * Plans a transaction: the first router that can run takes part, and those that set the same owner field.
   * So they share all counts, and none changes a company by whose owner another one decides.
   */
  plan({ accountId }: AccountContext, configuration: AccountConfiguration, runs: readonly Run[]): RunPlan {
    const account = { accountId };
    const snapshots = new Map<string, RouterSnapshot>();
    const refused = new Map<string, DomainError>();
    let first: RouterSnapshot | undefined;
    for (const routerId of new Set(runs.map((run) => run.routerId))) {
      try {
        const snapshot = this.snapshots.get(account, configuration, routerId);
        first ??= snapshot;
        if (setsSameField(first, snapshot)) snapshots.set(routerId, snapshot);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        refused.set(routerId, error);
      }
    }
    const all = [...snapshots.values()];
    const long = first === undefined ? [] : configuration.catalog.longFields(first.objectType);
    // A hook may read any field.
    const unread = long.filter(
      (name) => this.hooks.isEmpty && all.every((each) => each.unread.includes(name)),
    );
    const most = unread.length < long.length ? MOST_WITH_LONG_FIELDS : MOST_AT_ONCE;
    const taking = runs.filter(({ routerId }) => snapshots.has(routerId)).slice(0, most);
    return { account, runs: taking, snapshots, refused, unread };
  }

  /**
   * Waits for records, then for the account. A later `load` in the transaction finds them locked.
   */
  async lock(tx: Transaction, account: AccountContext, runs: readonly Run[]): Promise<void> {
    await Promise.all([
      this.dispatches.lockRecords(tx, account, objectIds(runs)),
      this.dispatches.lockAccount(tx, account),
    ]);
  }

  /**
   * Waits for the account, and reads the records that nobody else has locked. The statements are sent
   * together.
   * @param waits for the records, too: before the account, for which others would wait meanwhile
   * @returns undefined for an account that does not exist
   */
  async load(tx: Transaction, plan: RunPlan, waits: boolean): Promise<Loaded | undefined> {
    const { account, snapshots, unread } = plan;
    const keys = { routerIds: [...snapshots.keys()], objectIds: objectIds(plan.runs), unread };
    const [, version, rows, returns] = await Promise.all([
      waits ? this.dispatches.lockRecords(tx, account, keys.objectIds) : undefined,
      this.dispatches.lockAccount(tx, account),
      this.dispatches.readAndLock(tx, account, keys),
      this.returns.read(tx, plan),
    ]);
    if (version === undefined) return undefined;
    const missing = keys.objectIds.filter((id) => !rows.records.has(id));
    const held =
      missing.length === 0 ? new Set<string>() : await this.dispatches.readExisting(tx, account, missing);
    return { ...rows, version, held, returns };
  }
}

function setsSameField(one: RouterSnapshot, other: RouterSnapshot): boolean {
  return one.objectType === other.objectType && one.ownerField === other.ownerField;
}

function objectIds(runs: readonly Run[]): string[] {
  return runs.map(({ objectId }) => objectId);
}

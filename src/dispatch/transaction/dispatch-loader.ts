import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/index.js';
import { AssignmentHooks } from './assignment-hooks.js';
import { DispatchLocks } from './dispatch-locks.js';
import { unreadOf, type DispatchPlan } from './dispatch-plan.js';
import { ReturnsReader, type Returns } from './returns-reader.js';
import { DispatchRepository, type DispatchKeys, type DispatchRows } from './dispatch.repository.js';

/** How a transaction takes the locks of its routers and records. */
export interface Locking {
  /** Waits for them, of one router. Otherwise it locks what is free. */
  readonly waits: boolean;
}

/** What a transaction has locked and read. */
export interface Loaded {
  readonly rows: DispatchRows;
  /** The routers that are locked. What is read of others must not be used. */
  readonly routers: ReadonlySet<string>;
  /** The objects that are read, whether they exist or not. */
  readonly read: ReadonlySet<string>;
  /** Records of the locked routers that are not read, because somebody else has locked them. */
  readonly busy: ReadonlySet<string>;
  readonly returns: Returns;
}

const NONE: ReadonlySet<string> = new Set();

/** Takes locks, and reads under them what decisions need. The statements are sent together. */
@Injectable()
export class DispatchLoader {
  constructor(
    private readonly locks: DispatchLocks,
    private readonly dispatches: DispatchRepository,
    private readonly hooks: AssignmentHooks,
    private readonly returns: ReturnsReader,
  ) {}

  /** @returns undefined for an account that does not exist */
  load(tx: Transaction, plan: DispatchPlan, { waits }: Locking): Promise<Loaded | undefined> {
    const keys = {
      routerIds: plan.runs.map(({ routerId }) => routerId),
      objectIds: plan.runs.flatMap(({ objectIds }) => objectIds),
      unread: this.hooks.isEmpty ? unreadOf(plan) : [],
    };
    return waits ? this.waitFor(tx, plan, keys) : this.tryFor(tx, plan, keys);
  }

  /** Keeps other routers' dispatches from changing the counts of these users until the transaction ends. */
  lockUsers(tx: Transaction, { account }: DispatchPlan, emails: readonly string[]): Promise<void> {
    return this.locks.waitForUsers(tx, account, emails);
  }

  private async waitFor(
    tx: Transaction,
    plan: DispatchPlan,
    keys: DispatchKeys,
  ): Promise<Loaded | undefined> {
    const { account } = plan;
    const [, rows, returns] = await Promise.all([
      this.locks.waitForRouter(tx, account, keys.routerIds[0] ?? ''),
      this.dispatches.readAndLock(tx, account, keys),
      this.returns.read(tx, plan),
    ]);
    if (rows === undefined) return undefined;
    return { rows, routers: new Set(keys.routerIds), read: new Set(rows.objectIds), busy: NONE, returns };
  }

  private async tryFor(tx: Transaction, plan: DispatchPlan, keys: DispatchKeys): Promise<Loaded | undefined> {
    const { account, runs } = plan;
    const [routers, rows, returns] = await Promise.all([
      this.locks.tryRouters(tx, account, keys.routerIds),
      this.dispatches.readAndTry(tx, account, keys),
      this.returns.read(tx, plan),
    ]);
    if (rows === undefined) return undefined;
    const asked = new Set(
      runs.flatMap(({ routerId, objectIds }) => (routers.has(routerId) ? objectIds : [])),
    );
    const missing = rows.objectIds.filter((id) => asked.has(id) && !rows.records.has(id));
    const busy = missing.length === 0 ? NONE : await this.dispatches.readExisting(tx, account, missing);
    const read = new Set(rows.objectIds.filter((id) => !busy.has(id)));
    return { rows, routers, read, busy, returns };
  }
}

import type { AccountContext } from '../../accounts/index.js';
import type { AccountConfiguration } from '../../configuration/index.js';
import { sharesCounts, type RouterSnapshot } from '../snapshot/router-snapshot.js';
import type { RouterSnapshots } from '../snapshot/router-snapshots.js';
import type { RouterRuns } from './router-runs.js';

/** Which routers take part in a transaction, as of one version of the configuration. */
export interface DispatchPlan {
  readonly account: AccountContext;
  readonly version: string;
  /** The runs of the routers that take part. */
  readonly runs: readonly RouterRuns[];
  /** The routers that take part, by id. They share counts. */
  readonly snapshots: ReadonlyMap<string, RouterSnapshot>;
  /** Routers that are unknown or cannot be compiled. */
  readonly failed: ReadonlySet<string>;
}

/**
 * Plans a transaction: the first router takes part, and those that share counts with it.
 * @throws what RouterSnapshots throws, where there is one router
 */
export function planOf(
  snapshots: RouterSnapshots,
  { account, configuration }: { account: AccountContext; configuration: AccountConfiguration },
  runs: readonly RouterRuns[],
): DispatchPlan {
  const failed = new Set<string>();
  const taking = new Map<string, RouterSnapshot>();
  let first: RouterSnapshot | undefined;
  for (const { routerId } of runs) {
    try {
      const snapshot = snapshots.get(account, configuration, routerId);
      first ??= snapshot;
      if (sharesCounts(first, snapshot)) taking.set(routerId, snapshot);
    } catch (error) {
      if (runs.length === 1) throw error;
      failed.add(routerId);
    }
  }
  return {
    account: { accountId: account.accountId },
    version: configuration.version,
    runs: runs.filter(({ routerId }) => taking.has(routerId)),
    snapshots: taking,
    failed,
  };
}

/** Returns the long fields that no decision of any of the routers reads. */
export function unreadOf({ snapshots }: DispatchPlan): readonly string[] {
  const [first, ...others] = snapshots.values();
  return (first?.unread ?? []).filter((name) => others.every(({ unread }) => unread.includes(name)));
}

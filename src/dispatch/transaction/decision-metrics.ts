import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Counter, Gauge } from 'prom-client';
import { worstDeviation, type RotationState } from '../../engine/index.js';
import { BoundedNames, Metrics, OTHER } from '../../metrics/index.js';
import { SETTINGS, type Settings } from '../../settings/settings.js';
import type { Decisions } from '../decision/decided.js';
import type { RouterSnapshot } from '../snapshot/router-snapshot.js';

/** Most reasons with series of their own. There are 14, and those of the models of extensions. */
const MOST_REASONS = 50;

/** Most rotations whose states are kept for the metrics. A router has one, and each rule another. */
const MOST_ROTATIONS = 2_000;

/** The labels of a router. */
interface RouterLabels {
  readonly account_id: string;
  readonly router_id: string;
}

const OTHERS: RouterLabels = { account_id: OTHER, router_id: OTHER };

/** A rotation as it was left by the last dispatch that changed it. */
interface MovedRotation {
  readonly labels: RouterLabels;
  readonly state: RotationState;
}

/**
 * Counts the decisions of this process by router and reason, and measures how far each router is from a fair
 * division. The first `METRICS_ROUTERS` routers have series of their own, and all others share one: the
 * number of series does not grow with the number of accounts.
 */
@Injectable()
export class DecisionMetrics {
  private readonly decisions: Counter<'account_id' | 'router_id' | 'reason'> | undefined;
  private readonly routers: BoundedNames;
  private readonly reasons = new BoundedNames(MOST_REASONS);
  private readonly rotations = new LRUCache<string, MovedRotation>({ max: MOST_ROTATIONS });

  constructor(
    { registry }: Metrics,
    @Inject(SETTINGS) { METRICS_ROUTERS }: Pick<Settings, 'METRICS_ROUTERS'>,
  ) {
    this.routers = new BoundedNames(METRICS_ROUTERS);
    if (registry === undefined) return;
    this.decisions = new Counter({
      name: 'fairlead_dispatch_decisions_total',
      help: 'Decisions of dispatches, assigned or not, by router and reason',
      labelNames: ['account_id', 'router_id', 'reason'],
      registers: [registry],
    });
    const { worstByRouter } = this;
    new Gauge({
      name: 'fairlead_dispatch_fairness_deviation',
      help: 'Assignments by which the user who is furthest from the fair share of a rotation is from it',
      labelNames: ['account_id', 'router_id'],
      registers: [registry],
      collect() {
        this.reset();
        for (const { labels, worst } of worstByRouter()) this.set({ ...labels }, worst);
      },
    });
  }

  /** Notes decisions that were written. */
  note(written: readonly Decisions[]): void {
    const { decisions } = this;
    if (decisions === undefined) return;
    for (const { snapshot, decided, rotations } of written) {
      const labels = this.labelsOf(snapshot);
      for (const { decision } of decided) {
        const reason = this.reasons.has(decision.reason) ? decision.reason : OTHER;
        decisions.inc({ ...labels, reason });
      }
      const { accountId } = snapshot.account;
      // What they mean is computed when the metrics are read.
      for (const [key, state] of rotations) {
        this.rotations.set(`${accountId} ${snapshot.id} ${key}`, { labels, state });
      }
    }
  }

  private labelsOf({ account: { accountId }, id }: RouterSnapshot): RouterLabels {
    if (!this.routers.has(`${accountId} ${id}`)) return OTHERS;
    return { account_id: accountId, router_id: id };
  }

  /** The worst rotation of each router. */
  private readonly worstByRouter = (): { readonly labels: RouterLabels; readonly worst: number }[] => {
    const found = new Map<string, { readonly labels: RouterLabels; readonly worst: number }>();
    for (const { labels, state } of this.rotations.values()) {
      const router = `${labels.account_id} ${labels.router_id}`;
      const worst = Math.max(worstDeviation(state), found.get(router)?.worst ?? 0);
      found.set(router, { labels, worst });
    }
    return [...found.values()];
  };
}

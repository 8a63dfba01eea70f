import { Inject, Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { BoundedNames, OTHER } from '../../metrics/bounded-names.js';
import { Metrics } from '../../metrics/metrics.js';
import { SETTINGS, type Settings } from '../../settings/settings.js';
import type { Decided } from '../decision/decider.js';

/** Most reasons with series of their own. There are 14, and those of the models of extensions. */
const MOST_REASONS = 50;

/**
 * Counts the decisions of this process by router and reason. The first `METRICS_ROUTERS` routers have series
 * of their own, and all others share one: the number of series does not grow with the number of accounts.
 */
@Injectable()
export class DecisionMetrics {
  private readonly decisions: Counter<'account_id' | 'router_id' | 'reason'> | undefined;
  private readonly routers: BoundedNames;
  private readonly reasons = new BoundedNames(MOST_REASONS);

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
  }

  /** Notes decisions that were written. */
  note(written: readonly Decided[]): void {
    const { decisions } = this;
    if (decisions === undefined) return;
    for (const { snapshot, decision } of written) {
      const { account, id } = snapshot;
      const isOwn = this.routers.has(`${account.accountId} ${id}`);
      const [account_id, router_id] = isOwn ? [account.accountId, id] : [OTHER, OTHER];
      const reason = this.reasons.has(decision.reason) ? decision.reason : OTHER;
      decisions.inc({ account_id, router_id, reason });
    }
  }
}

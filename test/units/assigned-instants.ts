import { LIMIT_SPANS, type LimitSpan } from '../../src/directory/user.js';
import { NOTHING_ASSIGNED, type AssignedInstants } from '../../src/engine/model/workload.js';

/** Returns assignments of which so many are in each window, by instants of small numbers. */
export function assignedInstants(counts: Partial<Record<LimitSpan, number>>): AssignedInstants {
  const most = Math.max(0, ...Object.values(counts));
  if (most === 0) return NOTHING_ASSIGNED;
  const newest = Array.from({ length: most }, (_, index) => most - index);
  const since = LIMIT_SPANS.map((span) => [span, most - (counts[span] ?? 0) + 1]);
  return { newest, since: Object.fromEntries(since) as AssignedInstants['since'] };
}

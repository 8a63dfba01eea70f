import { assignedIn, LIMIT_SPANS, workloadOf, type LimitSpan } from '../model/workload.js';
import type { EligibilityCheck } from './eligibility-check.js';

/** The user's limit of assignments in one span; 0 means never. Reason `hour_limit_reached` and so on. */
function limitCheck(span: LimitSpan): EligibilityCheck {
  return {
    id: `${span}_limit`,
    group: 'workload',
    check: (user, { input }) => {
      const limit = user.limits?.[span];
      if (limit === undefined) return { pass: true };
      const count = assignedIn(workloadOf(input.workloads, user.email).assigned, span);
      return count < limit
        ? { pass: true }
        : { pass: false, reason: `${span}_limit_reached`, saw: `${count}/${limit}` };
    },
  };
}

/** The user's limits. Every limit that is set applies. */
export const LIMITS: readonly EligibilityCheck[] = LIMIT_SPANS.map(limitCheck);

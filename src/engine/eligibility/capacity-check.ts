import { shortText } from '../model/short-text.js';
import { workloadOf } from '../model/workload.js';
import type { EligibilityCheck } from './eligibility-check.js';

/**
 * The capacities that the record counts towards; reason `capacity_reached`. A user without a maximum is not
 * limited.
 */
export const CAPACITY: EligibilityCheck = {
  id: 'capacity',
  group: 'workload',
  check: (user, { input }) => {
    for (const { name, maxByEmail } of input.capacities ?? []) {
      const max = maxByEmail.get(user.email);
      const count =
        max === undefined ? 0 : (workloadOf(input.workloads, user.email).capacities.get(name) ?? 0);
      if (max !== undefined && count >= max) {
        return { pass: false, reason: 'capacity_reached', saw: `${shortText(name, 30)} ${count}/${max}` };
      }
    }
    return { pass: true };
  },
};

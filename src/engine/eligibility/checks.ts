import { isOutOfOffice } from '../../directory/availability/is-out-of-office.js';
import { isWithinWorkingHours } from '../../directory/availability/is-within-working-hours.js';
import { shortText } from '../model/short-text.js';
import { assignedIn, LIMIT_SPANS, workloadOf, type LimitSpan } from '../model/workload.js';
import type { EligibilityCheck } from './eligibility-check.js';

/** The user's availability switch; reason `switched_off`. */
const AVAILABILITY_SWITCH: EligibilityCheck = {
  id: 'availability_switch',
  group: 'availability',
  check: (user) => (user.available ? { pass: true } : { pass: false, reason: 'switched_off' }),
};

/** The user's absences; reason `out_of_office`. */
const OUT_OF_OFFICE: EligibilityCheck = {
  id: 'out_of_office',
  group: 'availability',
  check: (user, { input, readClock }) =>
    isOutOfOffice(user, input.at, readClock) ? { pass: false, reason: 'out_of_office' } : { pass: true },
};

/** The user's working hours and holidays; reason `outside_working_hours`. */
const WORKING_HOURS: EligibilityCheck = {
  id: 'working_hours',
  group: 'working_hours',
  check: (user, { input, readClock }) =>
    isWithinWorkingHours(user, input.at, readClock)
      ? { pass: true }
      : { pass: false, reason: 'outside_working_hours' },
};

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

/**
 * The capacities that the record counts towards; reason `capacity_reached`. A user without a maximum is not
 * limited.
 */
const CAPACITY: EligibilityCheck = {
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

/** The eligibility checks of contract section 4. Every limit that is set applies. */
export const BUILTIN_CHECKS: readonly EligibilityCheck[] = [
  AVAILABILITY_SWITCH,
  OUT_OF_OFFICE,
  WORKING_HOURS,
  ...LIMIT_SPANS.map(limitCheck),
  CAPACITY,
];

import { isOutOfOffice } from '../../directory/availability/is-out-of-office.js';
import { isWithinWorkingHours } from '../../directory/availability/is-within-working-hours.js';
import { CAPACITY } from './capacity-check.js';
import type { EligibilityCheck } from './eligibility-check.js';
import { LIMITS } from './limit-checks.js';

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

/** The eligibility checks of contract section 4. */
export const BUILTIN_CHECKS: readonly EligibilityCheck[] = [
  AVAILABILITY_SWITCH,
  OUT_OF_OFFICE,
  WORKING_HOURS,
  ...LIMITS,
  CAPACITY,
];

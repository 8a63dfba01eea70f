import { isWithinWorkingHours } from '../../directory/availability/is-within-working-hours.js';
import type { EligibilityCheck } from './eligibility-check.js';

/** The user's working hours and holidays; reason `outside_working_hours`. */
export const WORKING_HOURS: EligibilityCheck = {
  id: 'working_hours',
  group: 'working_hours',
  check: (user, { input, readClock }) =>
    isWithinWorkingHours(user, input.at, readClock)
      ? { pass: true }
      : { pass: false, reason: 'outside_working_hours' },
};

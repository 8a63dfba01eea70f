import { isOutOfOffice } from '../../directory/availability/is-out-of-office.js';
import type { EligibilityCheck } from './eligibility-check.js';

/** The user's absences; reason `out_of_office`. */
export const OUT_OF_OFFICE: EligibilityCheck = {
  id: 'out_of_office',
  group: 'availability',
  check: (user, { input, readClock }) =>
    isOutOfOffice(user, input.at, readClock) ? { pass: false, reason: 'out_of_office' } : { pass: true },
};

import type { EligibilityCheck } from './eligibility-check.js';

/** The user's availability switch; reason `switched_off`. */
export const AVAILABILITY_SWITCH: EligibilityCheck = {
  id: 'availability_switch',
  group: 'availability',
  check: (user) => (user.available ? { pass: true } : { pass: false, reason: 'switched_off' }),
};

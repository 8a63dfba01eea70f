import { AVAILABILITY_SWITCH } from './availability-switch-check.js';
import { CAPACITY } from './capacity-check.js';
import type { EligibilityCheck } from './eligibility-check.js';
import { LIMITS } from './limit-checks.js';
import { OUT_OF_OFFICE } from './out-of-office-check.js';
import { WORKING_HOURS } from './working-hours-check.js';

/** The eligibility checks of contract section 4. */
export const BUILTIN_CHECKS: readonly EligibilityCheck[] = [
  AVAILABILITY_SWITCH,
  OUT_OF_OFFICE,
  WORKING_HOURS,
  ...LIMITS,
  CAPACITY,
];

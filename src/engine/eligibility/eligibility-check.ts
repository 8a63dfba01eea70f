import type { ClockReader } from '../../directory/availability/local-time.js';
import type { User } from '../../directory/user.js';
import type { DecisionInput } from '../model/decision.js';

/**
 * The effect of a failed check. The user is not eligible; and
 * - `availability`: an owner who fails is unavailable (setting `overwrite_if_unavailable`);
 * - `working_hours`: as `availability`, but the setting `ignore_working_hours` can waive the check;
 * - `workload`: an owner who fails is still available. For checks that count what a user has already. If only
 *   such checks exclude users and none is eligible, the refusal is `assignment_limit_reached`.
 */
export type CheckGroup = 'availability' | 'working_hours' | 'workload';

/** The input of checks. */
export interface EligibilityContext {
  readonly input: DecisionInput;
  /** Gives the local time at `input.at`. Caches by time zone: call it with `input.at` only. */
  readonly readClock: ClockReader;
}

/**
 * Passed, or a stable machine word for the reason and, for the trace, the numbers that the check compared,
 * such as `40/40`.
 */
export type EligibilityVerdict =
  { readonly pass: true } | { readonly pass: false; readonly reason: string; readonly saw?: string };

/**
 * One condition that a user must meet to get a record. The built-in checks are written like those of
 * extensions.
 */
export interface EligibilityCheck {
  /** Unique among the registered checks. */
  readonly id: string;
  readonly group: CheckGroup;
  check(user: User, context: EligibilityContext): EligibilityVerdict;
}

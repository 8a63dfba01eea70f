import type { ClockReader } from '../../directory/availability/local-time.js';
import type { User } from '../../directory/user.js';
import type { DecisionInput } from '../model/decision.js';

/**
 * What failing a check means beyond being out of the rotation:
 * - `availability`: an owner who fails is unavailable (setting `overwrite_if_unavailable`);
 * - `working_hours`: the same, and the setting `ignore_working_hours` can waive it;
 * - `workload`: neither; for checks that count what somebody already has. Where such checks alone keep somebody out and
 *   nobody is eligible, the refusal is `assignment_limit_reached`.
 */
export type CheckGroup = 'availability' | 'working_hours' | 'workload';

/** What checks may look at. */
export interface EligibilityContext {
  readonly input: DecisionInput;
  /** Reads wall clocks at `input.at`; remembers, so that many users of one zone cost one reading. */
  readonly readClock: ClockReader;
}

/** Passed, or the stable machine word for why not and, for the trace, what it saw: a few characters such as `40/40`. */
export type EligibilityVerdict =
  { readonly pass: true } | { readonly pass: false; readonly reason: string; readonly saw?: string };

/** One condition that a user must meet to be assigned. Register further ones with the engine; the built-in ones are written alike. */
export interface EligibilityCheck {
  /** Unique among the registered checks. */
  readonly id: string;
  readonly group: CheckGroup;
  check(user: User, context: EligibilityContext): EligibilityVerdict;
}

import { localTime, type ClockReader, type LocalTime } from '../../directory/availability/local-time.js';
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

/** Passed, or a stable word for the reason and the numbers compared, such as `40/40`. */
export type EligibilityVerdict =
  { readonly pass: true } | { readonly pass: false; readonly reason: string; readonly saw?: string };

/** One condition that a user must meet. The built-in checks are written like those of extensions. */
export interface EligibilityCheck {
  /** Unique among the registered checks. */
  readonly id: string;
  readonly group: CheckGroup;
  check(user: User, context: EligibilityContext): EligibilityVerdict;
}

/** The results of all checks for one e-mail address. */
export interface Verdict {
  readonly email: string;
  /** Undefined for an address that belongs to no active user of the account. */
  readonly user: User | undefined;
  /** The reason of every check that failed; `not_a_user` without a user. Empty means eligible. */
  readonly reasons: readonly string[];
  readonly groups: ReadonlySet<CheckGroup>;
  /** The reasons of groups other than `workload`: they make an owner unavailable. */
  readonly unavailable: readonly string[];
  /** The numbers that the failed checks compared, where they give them; empty otherwise. */
  readonly saw: string;
}

/** Runs the eligibility checks on the user with that e-mail, in lower case. */
export type Examine = (email: string) => Verdict;

/** Runs the checks of one decision on each user once: one may be owner and in several teams. */
export function rememberVerdicts(checks: readonly EligibilityCheck[], input: DecisionInput): Examine {
  const clocks = new Map<string, LocalTime | null>();
  const readClock: ClockReader = (at, timezone) => {
    let clock = clocks.get(timezone);
    if (clock === undefined) {
      clock = localTime(at, timezone);
      clocks.set(timezone, clock);
    }
    return clock;
  };
  const context = { input, readClock };
  const verdicts = new Map<string, Verdict>();
  return (email) => {
    const verdict = verdicts.get(email) ?? examine(email, checks, context);
    verdicts.set(email, verdict);
    return verdict;
  };
}

/** Runs every check, so that the trace can name every reason. */
function examine(email: string, checks: readonly EligibilityCheck[], context: EligibilityContext): Verdict {
  const user = context.input.users.get(email);
  if (user === undefined) {
    const reasons = ['not_a_user'];
    return { email, user, reasons, groups: new Set(['availability']), unavailable: reasons, saw: '' };
  }
  const reasons: string[] = [];
  const unavailable: string[] = [];
  const saw: string[] = [];
  const groups = new Set<CheckGroup>();
  for (const check of checks) {
    const verdict = check.check(user, context);
    if (verdict.pass) continue;
    reasons.push(verdict.reason);
    groups.add(check.group);
    if (check.group !== 'workload') unavailable.push(verdict.reason);
    if (verdict.saw !== undefined) saw.push(verdict.saw);
  }
  return { email, user, reasons, groups, unavailable, saw: saw.join(', ') };
}

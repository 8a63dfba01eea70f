import { localTime, type ClockReader, type LocalTime } from '../../directory/availability/local-time.js';
import type { User } from '../../directory/user.js';
import type { DecisionInput } from '../model/decision.js';
import type { CheckGroup, EligibilityCheck, EligibilityContext } from './eligibility-check.js';

/** The results of all checks for one e-mail address. */
export interface Verdict {
  readonly email: string;
  /** Undefined for an address that belongs to no active user of the account. */
  readonly user: User | undefined;
  /** The reason of every check that failed; `not_a_user` without a user. Empty means eligible. */
  readonly reasons: readonly string[];
  /** The groups of the checks that failed. */
  readonly groups: ReadonlySet<CheckGroup>;
  /** The reasons of groups other than `workload`: they make an owner unavailable. */
  readonly unavailable: readonly string[];
  /** The numbers that the failed checks compared, where they give them; empty otherwise. */
  readonly saw: string;
}

/** Runs the eligibility checks on the user with that e-mail, in lower case. */
export type Examine = (email: string) => Verdict;

/**
 * Returns what runs the checks of one decision, on each user once: a user can be owner, matched owner and
 * candidate, and be in several teams.
 */
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

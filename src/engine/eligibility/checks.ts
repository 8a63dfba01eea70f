import {
  isOutOfOffice,
  isWithinWorkingHours,
  localTime,
  type ClockReader,
  type LocalTime,
} from '../../directory/availability/presence.js';
import { LIMIT_SPANS, type LimitSpan, type User } from '../../directory/user.js';
import { shortText } from '../model/trace.js';
import { assignedIn, workloadOf, type AssignedInstants } from '../model/workload.js';
import type { DecisionInput } from '../model/decision.js';

const PASS: EligibilityVerdict = { pass: true };
const fail = (reason: string): EligibilityVerdict => ({ pass: false, reason });

/** The user's limit of assignments in one span; 0 means never. Reason `hour_limit_reached` and so on. */
function limitCheck(span: LimitSpan): EligibilityCheck {
  return {
    id: `${span}_limit`,
    group: 'workload',
    check: (user, { input }) => {
      const limit = user.limits?.[span];
      if (limit === undefined) return PASS;
      const count = assignedIn(workloadOf(input.workloads, user.email).assigned, span);
      return count < limit ? PASS : { ...fail(`${span}_limit_reached`), saw: `${count}/${limit}` };
    },
  };
}

/** The eligibility checks of contract section 4. Every limit that is set applies. */
export const BUILTIN_CHECKS: readonly EligibilityCheck[] = [
  {
    id: 'availability_switch',
    group: 'availability',
    check: ({ available }) => (available ? PASS : fail('switched_off')),
  },
  {
    id: 'out_of_office',
    group: 'availability',
    check: (user, { input: { at }, readClock }) =>
      isOutOfOffice(user, at, readClock) ? fail('out_of_office') : PASS,
  },
  {
    id: 'working_hours',
    group: 'working_hours',
    check: (user, { input: { at }, readClock }) =>
      isWithinWorkingHours(user, at, readClock) ? PASS : fail('outside_working_hours'),
  },
  ...LIMIT_SPANS.map(limitCheck),
  {
    id: 'capacity',
    group: 'workload',
    // The input has the capacities that the record counts towards. Who has no maximum is not limited.
    check: ({ email }, { input }) => {
      for (const { name, maxByEmail } of input.capacities ?? []) {
        const max = maxByEmail.get(email) ?? Infinity;
        const count = workloadOf(input.workloads, email).capacities.get(name) ?? 0;
        if (count >= max)
          return { ...fail('capacity_reached'), saw: `${shortText(name, 30)} ${count}/${max}` };
      }
      return PASS;
    },
  },
];

/**
 * Says why a user can get no record now, by the built-in checks: null for who can. Checks of extensions may
 * read the record. @param user undefined for who is no user of the account
 */
export function examineNow(user: User | undefined, at: Date, assigned: AssignedInstants): string | null {
  const email = user?.email ?? '';
  const examine = rememberVerdicts(BUILTIN_CHECKS, {
    record: { id: '', objectType: 'contacts', get: () => undefined },
    users: new Map(user === undefined ? [] : [[email, user]]),
    matchedOwner: null,
    rotations: new Map(),
    at,
    workloads: new Map([[email, { assigned, owned: 0, capacities: new Map() }]]),
  });
  return examine(email).reasons[0] ?? null;
}

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

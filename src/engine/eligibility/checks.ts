import { isOutOfOffice } from '../../directory/availability/is-out-of-office.js';
import { isWithinWorkingHours } from '../../directory/availability/is-within-working-hours.js';
import { LIMIT_SPANS, type LimitSpan, type User } from '../../directory/user.js';
import { shortText } from '../model/trace.js';
import { assignedIn, workloadOf, type AssignedInstants } from '../model/workload.js';
import { rememberVerdicts, type EligibilityCheck, type EligibilityVerdict } from './examine.js';

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

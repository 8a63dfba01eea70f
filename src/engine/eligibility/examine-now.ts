import type { User } from '../../directory/user.js';
import type { AssignedInstants } from '../model/workload.js';
import { BUILTIN_CHECKS } from './checks.js';
import { rememberVerdicts } from './examine.js';

/**
 * Says why a user can get no record at an instant, by the checks that need none: null for who can. Checks of
 * extensions may read the record, and are left out.
 * @param user undefined for who is no user of the account
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

import type { User } from '../../directory/user.js';
import type { CandidateVerdict } from '../eligibility/weigh-candidate.js';
import type { RouterSettings } from '../model/router-configuration.js';
import type { DefaultUserStep } from '../model/trace.js';

/** Whether the backup user gets the record. */
export interface FallBack {
  /** E-mail; null for nobody. */
  readonly user: string | null;
  /** Whether checks of the group `workload` alone exclude the backup user. */
  readonly limited: boolean;
  readonly step: DefaultUserStep;
}

/**
 * The backup user, who gets the record when no user of the pool is available. The backup user must be an
 * active user of the account, and pass every eligibility check if the settings say so.
 */
export function fallBack(
  settings: RouterSettings,
  users: ReadonlyMap<string, User>,
  weigh: (email: string) => CandidateVerdict,
): FallBack {
  const { defaultUser } = settings;
  const nobody = (outcome: DefaultUserStep['outcome']): FallBack => ({
    user: null,
    limited: false,
    step: { step: 'default_user', user: defaultUser, outcome },
  });
  if (settings.disableDefaultAssignment) return nobody('disabled');
  if (defaultUser === null) return nobody('not_set');
  const user = users.get(defaultUser);
  if (user === undefined) return nobody('not_a_user');
  const assigned = { ...nobody('assigned'), user: user.email };
  if (!settings.defaultUserMustBeAvailable) return assigned;
  const { reasons, groups, saw } = weigh(defaultUser);
  if (reasons.length === 0) return assigned;
  const { step } = nobody('not_available');
  return {
    user: null,
    limited: [...groups].every((group) => group === 'workload'),
    step: { ...step, reasons, ...(saw === '' ? {} : { saw }) },
  };
}

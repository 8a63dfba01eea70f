import type { User } from '../../directory/user.js';
import { normalizeEmail } from '../../text/email-key.js';
import type { Examine } from '../eligibility/examine.js';
import type { MatchedOwner, RecordInput } from '../model/decision.js';
import type { RouterSettings, UnavailableOwner } from '../model/router-configuration.js';
import { shortText, type StepOf } from '../model/trace.js';

/**
 * Whether the owner field may be set: it is empty, the router may overwrite, or the router may replace an
 * unavailable owner and the present one is unavailable (switched off, out of office, outside working hours,
 * or no longer a user).
 */
export function mayOverwrite(
  settings: RouterSettings,
  record: RecordInput,
  examine: Examine,
): StepOf<'overwrite'> {
  const stored = record.get(settings.ownerField) ?? '';
  const owner = stored === '' ? null : shortText(stored);
  const base = { step: 'overwrite', field: settings.ownerField, owner } as const;
  if (stored === '') return { ...base, allowed: true, because: 'no_owner' };
  if (settings.overwrite) return { ...base, allowed: true, because: 'overwrite' };
  const unavailable = settings.overwriteIfUnavailable ? examine(normalizeEmail(stored)).unavailable : [];
  if (unavailable.length > 0) return { ...base, allowed: true, because: 'owner_unavailable', unavailable };
  return { ...base, allowed: false, because: 'owner_present' };
}

/**
 * Whether the owner of the matched company gets the contact: an active user who passes every check now or,
 * with `assign`, any active user.
 */
export function matchAccount(
  matched: MatchedOwner | null,
  unavailableOwner: UnavailableOwner,
  examine: Examine,
): { readonly user: string | null; readonly step: StepOf<'account_matching'> } {
  if (matched === null) return { user: null, step: { step: 'account_matching', outcome: 'no_company' } };
  const host = shortText(matched.host);
  const base = { step: 'account_matching', host, company_id: matched.companyId } as const;
  if (matched.owner === null || matched.owner === '') {
    return { user: null, step: { ...base, outcome: 'no_owner' } };
  }
  const { user, reasons } = examine(normalizeEmail(matched.owner));
  const owner = shortText(matched.owner);
  if (user === undefined || (reasons.length > 0 && unavailableOwner === 'route')) {
    return { user: null, step: { ...base, outcome: 'owner_not_eligible', owner, reasons } };
  }
  const despite = reasons.length > 0 ? { reasons } : {};
  return { user: user.email, step: { ...base, outcome: 'assigned', owner, ...despite } };
}

/** Whether the backup user gets the record. */
export interface FallBack {
  /** E-mail; null for nobody. */
  readonly user: string | null;
  /** Whether checks of the group `workload` alone exclude the backup user. */
  readonly limited: boolean;
  readonly step: StepOf<'default_user'>;
}

/**
 * The backup user, who gets the record when no user of the pool is available. The backup user must be an
 * active user of the account, and pass every eligibility check if the settings say so.
 */
export function backupUser(
  settings: RouterSettings,
  users: ReadonlyMap<string, User>,
  examine: Examine,
): FallBack {
  const { defaultUser } = settings;
  const outcome = (found: StepOf<'default_user'>['outcome']): FallBack => ({
    user: null,
    limited: false,
    step: { step: 'default_user', user: defaultUser, outcome: found },
  });
  if (settings.disableDefaultAssignment) return outcome('disabled');
  if (defaultUser === null) return outcome('not_set');
  const user = users.get(defaultUser);
  if (user === undefined) return outcome('not_a_user');
  const assigned = { ...outcome('assigned'), user: user.email };
  if (!settings.defaultUserMustBeAvailable) return assigned;
  const { reasons, groups, saw } = examine(defaultUser);
  if (reasons.length === 0) return assigned;
  const { step } = outcome('not_available');
  return {
    user: null,
    limited: [...groups].every((group) => group === 'workload'),
    step: { ...step, reasons, ...(saw === '' ? {} : { saw }) },
  };
}

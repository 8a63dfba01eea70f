import type { CandidateVerdict } from '../eligibility/weigh-candidate.js';
import type { UnavailableOwner } from '../model/router-configuration.js';
import type { MatchedOwner } from '../model/decision.js';
import { shortText } from '../model/short-text.js';
import type { AccountMatchingStep } from '../model/trace.js';
import { normalizeEmail } from '../../text/email-key.js';

/**
 * Whether the owner of the matched company gets the contact: an active user who passes every check now or,
 * with `assign`, any active user.
 */
export function matchAccount(
  matched: MatchedOwner | null,
  unavailableOwner: UnavailableOwner,
  weigh: (email: string) => CandidateVerdict,
): { readonly user: string | null; readonly step: AccountMatchingStep } {
  if (matched === null) {
    return { user: null, step: { step: 'account_matching', outcome: 'no_company' } };
  }
  const base = {
    step: 'account_matching',
    host: shortText(matched.host),
    company_id: matched.companyId,
  } as const;
  if (matched.owner === null || matched.owner === '') {
    return { user: null, step: { ...base, outcome: 'no_owner' } };
  }
  const { user, reasons } = weigh(normalizeEmail(matched.owner));
  const owner = shortText(matched.owner);
  if (user === undefined || (reasons.length > 0 && unavailableOwner === 'route')) {
    return { user: null, step: { ...base, outcome: 'owner_not_eligible', owner, reasons } };
  }
  const despite = reasons.length > 0 ? { reasons } : {};
  return { user: user.email, step: { ...base, outcome: 'assigned', owner, ...despite } };
}

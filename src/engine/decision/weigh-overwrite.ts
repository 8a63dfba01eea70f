import type { CandidateVerdict } from '../eligibility/weigh-candidate.js';
import type { RouterSettings } from '../model/router-configuration.js';
import type { RecordInput } from '../model/decision.js';
import { shortText } from '../model/short-text.js';
import type { OverwriteStep } from '../model/trace.js';
import { normalizeEmail } from '../../text/email-key.js';

/**
 * Whether the owner field may be set: it is empty, the router may overwrite, or the router may replace an
 * unavailable owner and the present one is unavailable (switched off, out of office, outside working hours,
 * or no longer a user).
 */
export function weighOverwrite(
  settings: RouterSettings,
  record: RecordInput,
  weigh: (email: string) => CandidateVerdict,
): OverwriteStep {
  const stored = record.get(settings.ownerField) ?? '';
  const base = {
    step: 'overwrite',
    field: settings.ownerField,
    owner: stored === '' ? null : shortText(stored),
  } as const;
  if (stored === '') {
    return { ...base, allowed: true, because: 'no_owner' };
  }
  if (settings.overwrite) {
    return { ...base, allowed: true, because: 'overwrite' };
  }
  if (settings.overwriteIfUnavailable) {
    const { unavailable } = weigh(normalizeEmail(stored));
    if (unavailable.length > 0) {
      return { ...base, allowed: true, because: 'owner_unavailable', unavailable };
    }
  }
  return { ...base, allowed: false, because: 'owner_present' };
}

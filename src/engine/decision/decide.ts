import type { User } from '../../directory/user.js';
import { normalizeEmail } from '../../text/email-key.js';
import { type EligibilityCheck, type Examine, rememberVerdicts } from '../eligibility/checks.js';
import {
  type Assigned,
  type Decision,
  type DecisionInput,
  type MatchedOwner,
  type RecordInput,
  ASSIGNED_MESSAGE,
  weighedInput,
} from '../model/decision.js';
import type { RouterSettings, UnavailableOwner } from '../model/router-configuration.js';
import { shortText, type StepOf, type TraceStep } from '../model/trace.js';
import { fitTrace, refusal, type Routed, type RoutedRecord } from './route-record.js';
import { turnOf, type StageTurn } from './stage.js';

/**
 * Chooses the user for a routed record, in this order:
 * 1. may the owner be replaced;
 * 2. does the owner of the contact's company get it;
 * 3. does a rule refuse it, or does no rule take it;
 * 4. which of the eligible users has the turn, stage by stage;
 * 5. which would have it if all were inside working hours (setting `ignore_working_hours`);
 * 6. is there a backup user.
 *
 * A record whose present owner is chosen stays as it is.
 *
 * Pure: the same arguments always give the same decision.
 */
export function decide(routed: Routed, checks: readonly EligibilityCheck[], input: DecisionInput): Decision {
  if (routed.refused) return routed.decision;
  const decision = decideRouted(routed, checks, weighedInput(input, routed.settings.ownerField));
  return { ...decision, trace: fitTrace(decision.trace) };
}

function decideRouted(
  { settings, stages, rules, trace: routing }: RoutedRecord,
  checks: readonly EligibilityCheck[],
  input: DecisionInput,
): Decision {
  const { record, users, matchedOwner } = input;
  const { ownerField: fieldName, ignoreWorkingHours } = settings;
  const trace: TraceStep[] = [...routing];
  const examine = rememberVerdicts(checks, input);
  let rule: string | null = null;
  const assign = (user: string, reason: string, turn: StageTurn | null = null): Assigned => {
    const step = turn && turn.stage.place;
    const common = { assigned: true, user, fieldName, message: ASSIGNED_MESSAGE, rule, step, trace } as const;
    if (normalizeEmail(user) === normalizeEmail(record.get(fieldName) ?? '')) {
      trace.push({ step: 'already_owner', user, chosen_by: reason });
      return { ...common, unchanged: true, reason: 'already_owner', rotation: null, turn: null };
    }
    const given = turn && { rotationKey: turn.stage.rotationKey, team: turn.team };
    return { ...common, unchanged: false, reason, rotation: turn && turn.rotation, turn: given };
  };

  const overwrite = mayOverwrite(settings, record, examine);
  trace.push(overwrite);
  if (!overwrite.allowed) {
    return { ...refusal('owner_present', trace), owner: record.get(fieldName) ?? '' };
  }
  if (settings.accountMatching) {
    const { user, step } = matchAccount(matchedOwner, settings.accountMatchingUnavailableOwner, examine);
    trace.push(step);
    if (user !== null) return assign(user, 'account_matched');
  }
  if (rules !== null) {
    trace.push(rules);
    rule = rules.matched;
  }
  if (stages.length === 0 && rule !== null) return refusal('rule_refused', trace, rule);
  if (stages.length === 0 && settings.noRuleMatched === 'refuse') return refusal('no_rule_matched', trace);

  const { turn, limited } = turnOf(stages, input, { ignoreWorkingHours, examine, trace });
  if (turn !== null) return assign(turn.user.email, turn.stage.model.reason, turn);

  const backup = backupUser(settings, users, examine);
  trace.push(backup.step);
  if (backup.user !== null) return assign(backup.user, 'default_user');
  if (stages.length === 0) return refusal('no_rule_matched', trace);
  return refusal(limited || backup.limited ? 'assignment_limit_reached' : 'no_users_available', trace, rule);
}

/**
 * Whether the owner field may be set: it is empty, the router may overwrite, or it may replace an owner who
 * is unavailable (switched off, out of office, outside working hours, no user).
 */
function mayOverwrite(settings: RouterSettings, record: RecordInput, examine: Examine): StepOf<'overwrite'> {
  const stored = record.get(settings.ownerField) ?? '';
  const owner = stored === '' ? null : shortText(stored);
  const base = { step: 'overwrite', field: settings.ownerField, owner } as const;
  if (stored === '') return { ...base, allowed: true, because: 'no_owner' };
  if (settings.overwrite) return { ...base, allowed: true, because: 'overwrite' };
  const unavailable = settings.overwriteIfUnavailable ? examine(normalizeEmail(stored)).unavailable : [];
  if (unavailable.length > 0) return { ...base, allowed: true, because: 'owner_unavailable', unavailable };
  return { ...base, allowed: false, because: 'owner_present' };
}

/** Whether the company's owner gets the contact: who passes every check, or anybody with `assign`. */
function matchAccount(
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
interface FallBack {
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
function backupUser(settings: RouterSettings, users: ReadonlyMap<string, User>, examine: Examine): FallBack {
  const { defaultUser } = settings;
  const end = (outcome: StepOf<'default_user'>['outcome'], why: object = {}): FallBack => ({
    user: outcome === 'assigned' ? defaultUser : null,
    limited: false,
    step: { step: 'default_user', user: defaultUser, outcome, ...why },
  });
  if (settings.disableDefaultAssignment) return end('disabled');
  if (defaultUser === null) return end('not_set');
  if (!users.has(defaultUser)) return end('not_a_user');
  if (!settings.defaultUserMustBeAvailable) return end('assigned');
  const { reasons, groups, saw } = examine(defaultUser);
  if (reasons.length === 0) return end('assigned');
  const limited = [...groups].every((group) => group === 'workload');
  return { ...end('not_available', { reasons, ...(saw !== '' && { saw }) }), limited };
}

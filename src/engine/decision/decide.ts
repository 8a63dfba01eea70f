import { normalizeEmail } from '../../text/email-key.js';
import { type EligibilityCheck, rememberVerdicts } from '../eligibility/examine.js';
import {
  type Assigned,
  type Decision,
  type DecisionInput,
  ASSIGNED_MESSAGE,
  weighedInput,
} from '../model/decision.js';
import type { TraceStep } from '../model/trace.js';
import { fitTrace } from './match-rule.js';
import { backupUser, matchAccount, mayOverwrite } from './owners.js';
import { refusal, type Routed, type RoutedRecord } from './route-record.js';
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

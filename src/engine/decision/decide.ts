import type { EligibilityCheck } from '../eligibility/eligibility-check.js';
import { eligibilityContext, weighCandidate, type CandidateVerdict } from '../eligibility/weigh-candidate.js';
import { weighedInput } from '../workload/weighed-input.js';
import type { Decision, DecisionInput } from '../model/decision.js';
import { fallBack } from './fall-back.js';
import { fitTrace } from './fit-trace.js';
import { matchAccount } from './match-account.js';
import { chosenBy } from './chosen-by.js';
import { refusal, type Routed, type RoutedRecord } from '../routing/route-record.js';
import type { TraceStep } from '../model/trace.js';
import { turnOfRoute } from './turn-of-route.js';
import { weighOverwrite } from './weigh-overwrite.js';

/**
 * Chooses the user for a routed record, in this order:
 * 1. may the owner be replaced;
 * 2. does the owner of the contact's company get it;
 * 3. does a rule refuse it, or does no rule take it;
 * 4. which of the eligible users has the turn;
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
  { settings, route, rule, rules, trace: routing }: RoutedRecord,
  checks: readonly EligibilityCheck[],
  input: DecisionInput,
): Decision {
  const trace: TraceStep[] = [...routing];
  const assign = chosenBy({ settings, rule, record: input.record, trace });

  const weigh = rememberVerdicts(checks, input);
  const overwriteStep = weighOverwrite(settings, input.record, weigh);
  trace.push(overwriteStep);
  if (!overwriteStep.allowed) {
    return { ...refusal('owner_present', trace), owner: input.record.get(settings.ownerField) ?? '' };
  }

  if (settings.accountMatching) {
    const { user, step } = matchAccount(input.matchedOwner, settings.accountMatchingUnavailableOwner, weigh);
    trace.push(step);
    if (user !== null) return assign(user, 'account_matched', null);
  }

  if (rules !== null) trace.push(rules);
  if (route === null && rule !== null) return refusal('rule_refused', trace);
  if (route === null && settings.noRuleMatched === 'refuse') return refusal('no_rule_matched', trace);

  let limited = false;
  if (route !== null) {
    const { ignoreWorkingHours } = settings;
    const turned = turnOfRoute(route, input, { ignoreWorkingHours, weigh });
    trace.push(...turned.steps);
    const { turn } = turned;
    if (turn !== null) {
      const { rotationKey, model } = route;
      return assign(turn.user.email, model.reason, { ...turn, rotationKey });
    }
    limited = turned.limited;
  }

  const backup = fallBack(settings, input.users, weigh);
  trace.push(backup.step);
  if (backup.user !== null) return assign(backup.user, 'default_user', null);
  if (route === null) return refusal('no_rule_matched', trace);
  return refusal(limited || backup.limited ? 'assignment_limit_reached' : 'no_users_available', trace);
}

/**
 * Caches the results of the checks: one user can be owner, matched owner and candidate, and be in several
 * teams.
 */
function rememberVerdicts(checks: readonly EligibilityCheck[], input: DecisionInput) {
  const context = eligibilityContext(input);
  const verdicts = new Map<string, CandidateVerdict>();
  return (email: string): CandidateVerdict => {
    let verdict = verdicts.get(email);
    if (verdict === undefined) {
      verdict = weighCandidate(email, checks, context);
      verdicts.set(email, verdict);
    }
    return verdict;
  };
}

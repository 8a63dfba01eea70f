import type { RotationOutcome } from '../distribution/rotate.js';
import type { EligibilityCheck } from '../eligibility/eligibility-check.js';
import { eligibilityContext, weighCandidate, type CandidateVerdict } from '../eligibility/weigh-candidate.js';
import { weighedInput } from '../workload/weighed-input.js';
import type { Decision, DecisionInput } from '../model/decision.js';
import { fallBack } from './fall-back.js';
import { fitTrace } from './fit-trace.js';
import { matchAccount } from './match-account.js';
import { ASSIGNED_MESSAGE } from '../model/outcomes.js';
import { refusal, type Routed, type RoutedRecord } from '../routing/route-record.js';
import type { TraceStep } from '../model/trace.js';
import { turnOfRoute } from './turn-of-route.js';
import { weighOverwrite } from './weigh-overwrite.js';

/**
 * Chooses the user for a routed record, in this order:
 * 1. may the owner be replaced;
 * 2. does the owner of the contact's company get it;
 * 3. which of the eligible users has the turn;
 * 4. which would have it if all were inside working hours (setting `ignore_working_hours`);
 * 5. is there a backup user.
 *
 * Pure: the same arguments always give the same decision.
 */
export function decide(routed: Routed, checks: readonly EligibilityCheck[], input: DecisionInput): Decision {
  if (routed.refused) return routed.decision;
  const decision = decideRouted(routed, checks, weighedInput(input, routed.settings.ownerField));
  return { ...decision, trace: fitTrace(decision.trace) };
}

function decideRouted(
  { settings, route, rule, trace: routing }: RoutedRecord,
  checks: readonly EligibilityCheck[],
  input: DecisionInput,
): Decision {
  const trace: TraceStep[] = [...routing];
  const assign = (user: string, reason: string, outcome: RotationOutcome | null): Decision => ({
    assigned: true,
    user,
    fieldName: settings.ownerField,
    reason,
    message: ASSIGNED_MESSAGE,
    rotation: outcome === null ? null : outcome.rotation,
    turn: outcome === null ? null : { rotationKey: route.rotationKey, team: outcome.team },
    rule,
    trace,
  });

  const weigh = rememberVerdicts(checks, input);
  const overwriteStep = weighOverwrite(settings, input.record, weigh);
  trace.push(overwriteStep);
  if (!overwriteStep.allowed) return refusal('owner_present', trace);

  if (settings.accountMatching) {
    const { user, step } = matchAccount(input.matchedOwner, settings.unavailableOwner, weigh);
    trace.push(step);
    if (user !== null) return assign(user, 'account_matched', null);
  }

  const { ignoreWorkingHours } = settings;
  const { turn, limited, steps } = turnOfRoute(route, input, { ignoreWorkingHours, weigh });
  trace.push(...steps);
  if (turn !== null) return assign(turn.user.email, route.model.reason, turn);

  const { user, step } = fallBack(settings, input.users);
  trace.push(step);
  if (user !== null) return assign(user, 'default_user', null);
  return refusal(limited ? 'assignment_limit_reached' : 'no_users_available', trace);
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

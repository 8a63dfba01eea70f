import type { EligibilityCheck } from '../eligibility/eligibility-check.js';
import { eligibilityContext, weighCandidate, type CandidateVerdict } from '../eligibility/weigh-candidate.js';
import { rotate, type Route, type RotationOutcome } from '../distribution/rotate.js';
import type { CompiledRouter } from '../compiled-router.js';
import type { RotationState } from '../distribution/rotation-state.js';
import { evaluateTrigger } from '../trigger/evaluate-trigger.js';
import type { Decision, DecisionInput } from './decision.js';
import { fallBack } from './fall-back.js';
import { matchAccount } from './match-account.js';
import { ASSIGNED_MESSAGE, REFUSALS, type RefusalReason } from './outcomes.js';
import type { TraceStep } from './trace.js';
import { weighOverwrite } from './weigh-overwrite.js';
import { ifEligible, ifInsideWereAssumed, weighPool } from './weigh-pool.js';

/**
 * Decides who gets a record, in this order: is the router published and set up; does its trigger match; may the owner
 * be replaced; does the owner of the contact's company get it; whose turn is it among those eligible; whose would it be
 * if all were inside working hours; is there a backup. Pure: the same arguments always give the same decision.
 */
export function decide(
  router: CompiledRouter,
  checks: readonly EligibilityCheck[],
  input: DecisionInput,
): Decision {
  const trace: TraceStep[] = [];
  const refuse = (reason: RefusalReason): Decision => ({
    assigned: false,
    reason,
    message: REFUSALS[reason],
    trace,
  });
  const { plan } = router;
  if (!router.published || plan === null) {
    trace.push({ step: 'router', published: router.published, settings: plan !== null });
    return refuse(router.published ? 'router_has_no_settings' : 'router_unpublished');
  }
  const { settings, trigger, route } = plan;
  const assign = (user: string, reason: string, rotation: RotationState | null): Decision => ({
    assigned: true,
    user,
    fieldName: settings.ownerField,
    reason,
    message: ASSIGNED_MESSAGE,
    rotation,
    trace,
  });

  const triggerStep = evaluateTrigger(trigger, input.record);
  trace.push(triggerStep);
  if (!triggerStep.matched) return refuse('trigger_not_matched');

  const weigh = rememberVerdicts(checks, input);
  const overwriteStep = weighOverwrite(settings, input.record, weigh);
  trace.push(overwriteStep);
  if (!overwriteStep.allowed) return refuse('owner_present');

  if (settings.accountMatching) {
    const { user, step } = matchAccount(input.matchedOwner, weigh);
    trace.push(step);
    if (user !== null) return assign(user, 'account_matched', null);
  }

  const turn = takeTurnOf(route, settings.ignoreWorkingHours, weigh, input, trace);
  if (turn !== null) return assign(turn.user.email, route.model.reason, turn.rotation);

  const { user, step } = fallBack(settings, input.users);
  trace.push(step);
  return user === null ? refuse('no_users_available') : assign(user, 'default_user', null);
}

function takeTurnOf(
  route: Route,
  ignoreWorkingHours: boolean,
  weigh: (email: string) => CandidateVerdict,
  input: DecisionInput,
  trace: TraceStep[],
): RotationOutcome | null {
  const steps = weighPool(route.pool, weigh);
  trace.push(...steps);
  let turn = rotate(route, (email) => ifEligible(weigh(email)), input);
  if (turn === null && ignoreWorkingHours) {
    const everyone = new Set(
      steps.flatMap((step) => [...step.in, ...step.out.flatMap(({ users }) => users)]),
    );
    const assumed = [...everyone].filter((email) => ifInsideWereAssumed(weigh(email)) !== undefined);
    trace.push({ step: 'ignore_working_hours', candidates: assumed.length });
    turn = rotate(route, (email) => ifInsideWereAssumed(weigh(email)), input);
  }
  trace.push(...(turn?.steps ?? []));
  return turn;
}

/** Somebody can be owner, matched owner and candidate at once, and sit in several teams. */
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

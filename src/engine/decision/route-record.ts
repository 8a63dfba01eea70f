import { emailsOf } from '../pool/pool.js';
import type { CompiledRouter, Stage } from './plan.js';
import type { RouterSettings } from '../model/router-configuration.js';
import { matchRule } from './match-rule.js';
import { evaluateTrigger } from '../trigger/evaluate-trigger.js';
import { RecordValues } from '../trigger/record-values.js';
import type { RecordInput, NotAssigned } from '../model/decision.js';
import { REFUSALS, type RefusalReason } from '../model/outcomes.js';
import { ROUTER_ROTATION_KEY } from '../model/rotation.js';
import type { RulesStep, Trace, TraceStep } from '../model/trace.js';

/** A record that a router does not take. This is the final decision. */
export interface RefusedRecord {
  readonly refused: true;
  readonly decision: NotAssigned;
}

/** A record that a router takes. `AssignmentEngine.decide` chooses the user. */
export interface RoutedRecord {
  readonly refused: false;
  /** Name of the rule whose trigger matched; null for none. */
  readonly rule: string | null;
  /**
   * The key of the rotation state that the decision needs: empty for the router's own pool, and where there
   * is no pool; see `rotationKeyOfRule` for a rule's.
   */
  readonly rotationKey: string;
  /** Lower-case e-mails of everyone in the pool. */
  readonly candidates: readonly string[];
  readonly settings: RouterSettings;
  /** The pool. Null where a rule refuses the record, and where no rule matches and there is no other pool. */
  readonly stage: Stage | null;
  /** The steps before anything else is looked at. */
  readonly trace: Trace;
  /** The step that found the pool; null for a router without rules. */
  readonly rules: RulesStep | null;
}

export type Routed = RefusedRecord | RoutedRecord;

/**
 * Finds the pool for a record: is the router published and does it have settings, does its trigger match,
 * which rule matches first. If no rule matches, the router's own pool is taken.
 */
export function routeRecord(router: CompiledRouter, record: RecordInput): Routed {
  const trace: TraceStep[] = [];
  const { plan } = router;
  if (!router.published || plan === null) {
    trace.push({ step: 'router', published: router.published, settings: plan !== null });
    return refused(router.published ? 'router_has_no_settings' : 'router_unpublished', trace);
  }
  const values = new RecordValues(record, plan.trigger.slots);
  const triggerStep = evaluateTrigger(plan.trigger, record, values);
  trace.push(triggerStep);
  if (!triggerStep.matched) return refused('trigger_not_matched', trace);

  const { settings, rules } = plan;
  const match = rules.length === 0 ? null : matchRule(rules, values);
  const rule = match?.rule ?? null;
  const stage = rule === null ? plan.stage : rule.stage;
  const otherwise = { refuse: 'nobody', default_user: 'default_user' } as const;
  const unmatched = { otherwise: stage === null ? otherwise[settings.noRuleMatched] : 'own_pool' } as const;
  return {
    refused: false,
    rule: rule?.name ?? null,
    rotationKey: stage?.rotationKey ?? ROUTER_ROTATION_KEY,
    candidates: stage === null ? [] : emailsOf(stage.pool),
    settings,
    stage,
    trace,
    rules: match === null ? null : { ...match.step, ...(rule === null ? unmatched : {}) },
  };
}

/** A decision that assigns nobody. */
export function refusal(reason: RefusalReason, trace: Trace): NotAssigned {
  return { assigned: false, reason, message: REFUSALS[reason], trace };
}

function refused(reason: RefusalReason, trace: Trace): RefusedRecord {
  return { refused: true, decision: refusal(reason, trace) };
}

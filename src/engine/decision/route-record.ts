import type { CompiledRouter, Stage } from './plan.js';
import type { RouterSettings } from '../model/router-configuration.js';
import { matchRule } from './match-rule.js';
import { evaluateTrigger, RecordValues } from '../trigger/trigger.js';
import { type RecordInput, type NotAssigned, REFUSALS, type RefusalReason } from '../model/decision.js';
import type { StepOf, Trace, TraceStep } from '../model/trace.js';

/** A record that a router does not take. This is the final decision. */
export interface RefusedRecord {
  readonly refused: true;
  readonly decision: NotAssigned;
}

/** A record that a router takes. `AssignmentEngine.decide` chooses the user. */
export interface RoutedRecord {
  readonly refused: false;
  /** Lower-case e-mails of everyone in the pools. */
  readonly candidates: readonly string[];
  readonly settings: RouterSettings;
  /** Empty where a rule refuses the record, and where no rule matches and there is no other pool. */
  readonly stages: readonly Stage[];
  /** The steps before anything else is looked at. */
  readonly trace: Trace;
  /** The step that found the pool; null for a router without rules. */
  readonly rules: StepOf<'rules'> | null;
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
  const values = new RecordValues(record);
  const triggerStep = evaluateTrigger(plan.trigger, values);
  trace.push(triggerStep);
  if (!triggerStep.matched) return refused('trigger_not_matched', trace);

  const { settings, rules } = plan;
  const match = rules.length === 0 ? null : matchRule(rules, values);
  const rule = match?.rule ?? null;
  const { stages } = rule ?? plan;
  const otherwise = { refuse: 'nobody', default_user: 'default_user' } as const;
  const unmatched = {
    otherwise: stages.length === 0 ? otherwise[settings.noRuleMatched] : 'own_pool',
  } as const;
  return {
    refused: false,
    candidates: candidatesOf(stages),
    settings,
    stages,
    trace,
    rules: match === null ? null : { ...match.step, ...(rule === null ? unmatched : {}) },
  };
}

/** The list of a stage itself where there is one: many records are routed to it. */
function candidatesOf(stages: readonly Stage[]): readonly string[] {
  const [first, ...others] = stages.map(({ pool }) => pool.emails);
  return others.length === 0 ? (first ?? []) : [...new Set([first ?? [], ...others].flat())];
}

/** A decision that assigns nobody. @param rule name of the rule that decides */
export function refusal(reason: RefusalReason, trace: Trace, rule: string | null = null): NotAssigned {
  return { assigned: false, reason, message: REFUSALS[reason], ...(rule !== null && { rule }), trace };
}

function refused(reason: RefusalReason, trace: Trace): RefusedRecord {
  return { refused: true, decision: refusal(reason, trace) };
}

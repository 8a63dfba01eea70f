import type { CompiledRouter } from './compiled-router.js';
import { candidatesOf, type Route } from '../distribution/route.js';
import type { RouterSettings } from '../model/router-configuration.js';
import { matchRule } from '../rules/match-rule.js';
import { evaluateTrigger } from '../trigger/evaluate-trigger.js';
import { RecordValues } from '../trigger/record-values.js';
import type { RecordInput, NotAssigned } from '../model/decision.js';
import { REFUSALS, type RefusalReason } from '../model/outcomes.js';
import type { Trace, TraceStep } from '../model/trace.js';

/** A record that a router does not take. This is the final decision. */
export interface RefusedRecord {
  readonly refused: true;
  readonly decision: NotAssigned;
}

/** A record with its pool. `AssignmentEngine.decide` chooses the user. */
export interface RoutedRecord {
  readonly refused: false;
  /** Name of the rule whose trigger matched; null for none. */
  readonly rule: string | null;
  /**
   * The key of the rotation state that the decision needs: empty for the router's own pool, `rule:<name>` for
   * a rule's.
   */
  readonly rotationKey: string;
  /** Lower-case e-mails of everyone in the pool. */
  readonly candidates: readonly string[];
  readonly settings: RouterSettings;
  readonly route: Route;
  readonly trace: Trace;
}

export type Routed = RefusedRecord | RoutedRecord;

/**
 * Finds the pool for a record: is the router published and does it have settings, does its trigger match,
 * which rule matches first. If no rule matches, the router's own pool is taken; without one the record is
 * refused.
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
  const route = match?.rule?.route ?? plan.route;
  if (match !== null) {
    const otherwise = route === null ? 'nobody' : 'own_pool';
    trace.push(match.rule === null ? { ...match.step, otherwise } : match.step);
  }
  if (route === null) return refused('no_rule_matched', trace);
  const rule = match?.rule?.name ?? null;
  return {
    refused: false,
    rule,
    rotationKey: route.rotationKey,
    candidates: candidatesOf(route.pool),
    settings,
    route,
    trace,
  };
}

/** A decision that assigns nobody. */
export function refusal(reason: RefusalReason, trace: Trace): NotAssigned {
  return { assigned: false, reason, message: REFUSALS[reason], trace };
}

function refused(reason: RefusalReason, trace: Trace): RefusedRecord {
  return { refused: true, decision: refusal(reason, trace) };
}

import { type RecordInput, type NotAssigned, REFUSALS, type RefusalReason } from '../model/decision.js';
import type { RouterSettings } from '../model/router-configuration.js';
import { shortText, type StepOf, type Trace, type TraceStep } from '../model/trace.js';
import {
  evaluateTrigger,
  firstFailures,
  matches,
  RecordValues,
  traceConditions,
  type CompiledCondition,
} from '../trigger/trigger.js';
import type { CompiledRouter, CompiledRule, Plan, Stage } from './plan.js';

/** The most rules passed over that a trace lists. */
const LISTED = 20;
/** The most groups of conditions listed for one of them. */
const LISTED_GROUPS = 3;
/** The most characters of a name, of a condition, and of a value in the list. */
const LISTED_TEXT = 32;

/** Rules passed over are left out of a trace that has as many bytes as JSON. Candidates never are. */
const TRACE_BYTES = 8 * 1024;

/** A record that a router does not take. This is the final decision. */
export interface RefusedRecord {
  readonly refused: true;
  readonly decision: NotAssigned;
}

/** A record that a router takes. `decide` chooses the user. */
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
  const rule = rules.find((each) => matches(each.trigger, values));
  const { stages } = rule ?? plan;
  return {
    refused: false,
    candidates: candidatesOf(stages),
    settings,
    stages,
    trace,
    rules: rules.length === 0 ? null : rulesStep(plan, rule, values),
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

/**
 * The step of the first rule that matches; of all rules where none does. It keeps the number of the rules
 * before it and only the first of them, so that a thousand rules cost little time and space.
 */
function rulesStep(
  { rules, stages, settings }: Plan,
  rule: CompiledRule | undefined,
  values: RecordValues,
): StepOf<'rules'> {
  const passed = rule === undefined ? rules : rules.slice(0, rules.indexOf(rule));
  const listed = passed.slice(0, LISTED).map(({ name, trigger }) => ({
    name: shortText(name, LISTED_TEXT),
    failed: firstFailures(trigger, values).slice(0, LISTED_GROUPS),
  }));
  const conditions = listed.flatMap(({ failed }) => failed);
  const ofBackup = settings.noRuleMatched === 'refuse' ? 'nobody' : settings.noRuleMatched;
  return {
    step: 'rules',
    matched: rule?.name ?? null,
    ...(rule && { groups: traceConditions(rule.trigger, values) }),
    ...(rule?.stages.length === 0 && { refuses: true }),
    passed_over: passed.length,
    ...(listed.length > 0 && {
      first_passed_over: listed.map(({ name, failed }) => [name, ...failed.map(phrase)]),
      saw: valuesSeen(conditions, values),
    }),
    ...(rule === undefined && { otherwise: stages.length === 0 ? ofBackup : 'own_pool' }),
  };
}

/** A condition in short: `region eq emea`. */
function phrase({ condition, problem }: CompiledCondition): string {
  const { field, operator, value } = condition;
  const operand = value === undefined ? '' : ` ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  return shortText(`${field} ${problem ?? `${operator}${operand}`}`, LISTED_TEXT);
}

function valuesSeen(
  conditions: readonly CompiledCondition[],
  values: RecordValues,
): (readonly [string, string | null])[] {
  const seen = new Map(conditions.map((each) => [each.condition.field, values.get(each)]));
  return [...seen].map(([field, value]) => [field, value ? shortText(value.stored, LISTED_TEXT) : null]);
}

/** Shortens a trace that is too large: fewer of the rules passed over are listed, and their count stays. */
export function fitTrace(trace: Trace): Trace {
  const rules = trace.find((step) => step.step === 'rules');
  if (rules?.first_passed_over === undefined) return trace;
  let excess = bytes(trace) - (TRACE_BYTES - 1);
  if (excess <= 0) return trace;
  const kept = [...rules.first_passed_over];
  for (let last = kept.pop(); last !== undefined; last = kept.pop()) {
    excess -= bytes(last) + 1;
    if (excess <= 0) break;
  }
  const { first_passed_over: _, saw, ...rest } = rules;
  const list = { first_passed_over: kept, ...(saw && { saw }) };
  return trace.map((step) => (step === rules ? { ...rest, ...(kept.length > 0 && list) } : step));
}

function bytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

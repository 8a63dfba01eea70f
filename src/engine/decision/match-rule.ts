import { shortText, type StepOf, type Trace } from '../model/trace.js';
import {
  firstFailures,
  matches,
  traceConditions,
  type CompiledCondition,
  type RecordValues,
} from '../trigger/trigger.js';
import type { CompiledRule } from './plan.js';

/** The most rules passed over that a trace lists. */
const LISTED = 20;
/** The most groups of conditions listed for one of them. */
const LISTED_GROUPS = 3;
/** The most characters of a name, of a condition, and of a value in the list. */
const LISTED_TEXT = 32;

/** Rules passed over are left out of a trace that has as many bytes as JSON. Candidates never are. */
const TRACE_BYTES = 8 * 1024;

/**
 * Finds the first rule whose trigger matches. The step keeps the number of rules before it and only the first
 * of them, so that a thousand rules cost little time and space.
 */
export function matchRule(
  rules: readonly CompiledRule[],
  values: RecordValues,
): { readonly rule: CompiledRule | null; readonly step: StepOf<'rules'> } {
  const index = rules.findIndex(({ trigger }) => matches(trigger, values));
  const rule = rules[index] ?? null;
  const passed = rule === null ? rules : rules.slice(0, index);
  const listed = passed.slice(0, LISTED).map(({ name, trigger }) => ({
    name: shortText(name, LISTED_TEXT),
    failed: firstFailures(trigger, values).slice(0, LISTED_GROUPS),
  }));
  const list = {
    first_passed_over: listed.map(({ name, failed }) => [name, ...failed.map(phrase)]),
    saw: valuesSeen(
      listed.flatMap(({ failed }) => failed),
      values,
    ),
  };
  return {
    rule,
    step: {
      step: 'rules',
      matched: rule === null ? null : rule.name,
      ...(rule === null ? {} : { groups: traceConditions(rule.trigger, values) }),
      ...(rule?.stages.length === 0 ? { refuses: true } : {}),
      passed_over: passed.length,
      ...(listed.length === 0 ? {} : list),
    },
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

/**
 * Shortens a trace that is too large: lists fewer of the rules that were passed over, and keeps their count.
 * A trace without such a list stays as it is.
 */
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

import type { RecordInput } from '../model/decision.js';
import type { ConditionTrace, TriggerStep } from '../model/trace.js';
import { shortJson, shortText } from '../model/short-text.js';
import type { CompiledCondition, CompiledTrigger } from './compile-trigger.js';
import { RecordValues } from './record-values.js';

/**
 * Evaluates a trigger for a record: groups are OR-ed, conditions in a group AND-ed; no groups, or an empty
 * group, match. Every condition is evaluated for the trace, also where the result is already known.
 */
export function evaluateTrigger(
  trigger: CompiledTrigger,
  record: RecordInput,
  values: RecordValues = new RecordValues(record, trigger.slots),
): TriggerStep {
  const groups = traceConditions(trigger, values);
  const matched = groups.length === 0 || groups.some((group) => group.every((condition) => condition.held));
  return { step: 'trigger', matched, groups };
}

/** Whether a trigger matches. Stops as soon as the result is known. */
export function matches({ groups }: CompiledTrigger, values: RecordValues): boolean {
  return groups.length === 0 || groups.some((group) => failing(group, values) === undefined);
}

/** The first condition of each group that does not hold. */
export function firstFailures(
  { groups }: CompiledTrigger,
  values: RecordValues,
): readonly CompiledCondition[] {
  return groups.flatMap((group) => failing(group, values) ?? []);
}

/** Every condition with its result and the value it saw. */
export function traceConditions(
  { groups }: CompiledTrigger,
  values: RecordValues,
): readonly (readonly ConditionTrace[])[] {
  return groups.map((group) => group.map((condition) => evaluateCondition(condition, values)));
}

function failing(group: readonly CompiledCondition[], values: RecordValues): CompiledCondition | undefined {
  for (const condition of group) {
    if (!condition.test(values.get(condition.slot))) return condition;
  }
  return undefined;
}

function evaluateCondition({ condition, slot, test, problem }: CompiledCondition, values: RecordValues) {
  const { field, operator, value } = condition;
  const seen = values.get(slot);
  return {
    field,
    operator,
    ...(value === undefined ? {} : { value: shortJson(value) }),
    saw: seen === undefined ? null : shortText(seen.stored),
    held: test(seen),
    ...(problem === null ? {} : { problem }),
  };
}

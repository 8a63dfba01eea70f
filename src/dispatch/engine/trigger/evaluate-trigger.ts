import type { DispatchedRecord } from '../decision/decision.js';
import type { ConditionTrace, TriggerStep } from '../decision/trace.js';
import { shortJson, shortText } from '../decision/shorten.js';
import type { CompiledCondition, CompiledTrigger } from './compile-trigger.js';

/**
 * Weighs a trigger for a record: groups are OR-ed, conditions in a group AND-ed; no groups, or an empty group, matches.
 * Every condition is weighed and traced, also those that could no longer change the outcome.
 */
export function evaluateTrigger(trigger: CompiledTrigger, record: DispatchedRecord): TriggerStep {
  const groups = trigger.map((group) => group.map((condition) => evaluateCondition(condition, record)));
  const matched = groups.length === 0 || groups.some((group) => group.every((condition) => condition.held));
  return { step: 'trigger', matched, groups };
}

function evaluateCondition(compiled: CompiledCondition, record: DispatchedRecord): ConditionTrace {
  const { field, operator, value } = compiled.condition;
  const stored = record.get(field);
  const seen = stored === '' ? undefined : stored;
  return {
    field,
    operator,
    ...(value === undefined ? {} : { value: shortJson(value) }),
    saw: seen === undefined ? null : shortText(seen),
    held: compiled.test(seen),
    ...(compiled.problem === null ? {} : { problem: compiled.problem }),
  };
}

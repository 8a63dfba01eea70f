import type { ObjectType } from '../../fields/object-type.js';
import type { RecordInput } from '../model/decision.js';
import type { Condition, Trigger } from '../model/router-configuration.js';
import { shortJson, shortText, type ConditionTrace, type StepOf } from '../model/trace.js';
import { FieldValue, type FieldHandle } from './field-value.js';
import type { KnownConditions } from './parse-trigger.js';
import type { ValueTest } from './operators.js';

/** A compiled condition. */
export interface CompiledCondition {
  readonly condition: Condition;
  readonly field: FieldHandle | undefined;
  readonly test: ValueTest;
  /** Why it can never hold: its field, operator or operand is no longer valid. Null for a valid one. */
  readonly problem: string | null;
}

/** A compiled trigger: groups of conditions. */
export interface CompiledTrigger {
  readonly groups: readonly (readonly CompiledCondition[])[];
}

/**
 * Compiles a trigger, once per version of the configuration.
 *
 * Never fails: a field or operator may have been removed since the trigger was configured. Such a condition
 * never holds, and the trace gives the reason. An operand that names a removed user or option is compared as
 * text, so that removing a user does not disable a `neq`.
 */
export function compileTrigger(
  trigger: Trigger,
  objectType: ObjectType,
  { fields, operators }: KnownConditions,
): CompiledTrigger {
  const groups = trigger.groups.map((group) =>
    group.conditions.map((condition): CompiledCondition => {
      const field = fields(objectType, condition.field);
      const operator = operators.find(({ id }) => id === condition.operator);
      const broken = (problem: string) => ({ condition, field, test: () => false, problem });
      if (field === undefined) return broken('unknown field');
      if (operator === undefined) return broken('unknown operator');
      const result = operator.compile(condition.value, tolerantField(field));
      return result.ok ? { condition, field, test: result.test, problem: null } : broken(result.message);
    }),
  );
  return { groups };
}

/** Users and options may be removed while records and conditions still name them. */
function tolerantField(field: FieldHandle): FieldHandle {
  const { type } = field.definition;
  if (type !== 'user' && type !== 'enumeration') return field;
  return {
    ...field,
    parse: (value) => {
      const parsed = field.parse(value);
      return parsed.ok || typeof value !== 'string' ? parsed : { ok: true, value: value.trim() };
    },
  };
}

/** Returns the names of the fields that triggers read. */
export function fieldsOf(triggers: readonly CompiledTrigger[]): ReadonlySet<string> {
  const conditions = triggers.flatMap(({ groups }) => groups).flat();
  return new Set(conditions.map(({ condition }) => condition.field));
}

/** The values of a record during one decision. Each field is read once, by whatever number of conditions. */
export class RecordValues {
  /** By name of the field; null for no value. */
  private readonly values = new Map<string, FieldValue | null>();

  constructor(private readonly record: RecordInput) {}

  /** The value of the field of a condition; undefined for none or an empty one. */
  get({ condition: { field: name }, field }: CompiledCondition): FieldValue | undefined {
    let value = this.values.get(name);
    if (value === undefined) {
      const stored = this.record.get(name) ?? '';
      value = stored === '' ? null : new FieldValue(stored, field);
      this.values.set(name, value);
    }
    return value ?? undefined;
  }
}

/**
 * Evaluates a trigger: groups are OR-ed, conditions in a group AND-ed; no groups, or an empty
 * group, match. Every condition is evaluated for the trace, also where the result is already known.
 */
export function evaluateTrigger(trigger: CompiledTrigger, values: RecordValues): StepOf<'trigger'> {
  const groups = traceConditions(trigger, values);
  const matched = groups.length === 0 || groups.some((group) => group.every((condition) => condition.held));
  return { step: 'trigger', matched, groups };
}

/** Whether a trigger matches. Stops as soon as the result is known. */
export function matches({ groups }: CompiledTrigger, values: RecordValues): boolean {
  return groups.length === 0 || groups.some((group) => failing(group, values) === undefined);
}

/** The first condition of each group that does not hold. */
export function firstFailures({ groups }: CompiledTrigger, values: RecordValues): CompiledCondition[] {
  return groups.flatMap((group) => failing(group, values) ?? []);
}

/** Every condition with its result and the value it saw. */
export function traceConditions({ groups }: CompiledTrigger, values: RecordValues): ConditionTrace[][] {
  return groups.map((group) =>
    group.map((each) => {
      const { field, operator, value } = each.condition;
      const seen = values.get(each);
      return {
        field,
        operator,
        ...(value === undefined ? {} : { value: shortJson(value) }),
        saw: seen === undefined ? null : shortText(seen.stored),
        held: each.test(seen),
        ...(each.problem === null ? {} : { problem: each.problem }),
      };
    }),
  );
}

function failing(group: readonly CompiledCondition[], values: RecordValues): CompiledCondition | undefined {
  for (const condition of group) if (!condition.test(values.get(condition))) return condition;
  return undefined;
}

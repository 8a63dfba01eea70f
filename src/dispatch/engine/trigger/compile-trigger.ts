import type { ObjectType } from '../../../fields/object-type.js';
import type { Condition, Trigger } from '../router-configuration.js';
import type { FieldHandle, FieldLookup } from './field-lookup.js';
import type { TriggerOperator } from './trigger-operator.js';

/** A condition with its operand read. */
export interface CompiledCondition {
  readonly condition: Condition;
  /** Whether it holds for a stored value; undefined where the record has none. */
  readonly test: (value: string | undefined) => boolean;
  /** Why the condition can never hold: its field, operator or operand is no longer valid. */
  readonly problem: string | null;
}

/** A trigger with every operand read: groups of conditions. */
export type CompiledTrigger = readonly (readonly CompiledCondition[])[];

/**
 * Compiles a trigger, once per configuration rather than per record.
 *
 * Never fails: what was valid when it was configured may have lost its field or operator since. Such a condition never
 * holds and the trace says why. An operand that names a user or an option that is gone still compares as written, so
 * that the departure of one user does not silently turn off a `neq`.
 */
export function compileTrigger(
  trigger: Trigger,
  objectType: ObjectType,
  fields: FieldLookup,
  operators: ReadonlyMap<string, TriggerOperator>,
): CompiledTrigger {
  return trigger.groups.map((group) =>
    group.conditions.map((condition) =>
      compileCondition(condition, fields(objectType, condition.field), operators.get(condition.operator)),
    ),
  );
}

function compileCondition(
  condition: Condition,
  field: FieldHandle | undefined,
  operator: TriggerOperator | undefined,
): CompiledCondition {
  if (field === undefined) {
    return broken(condition, 'unknown field');
  }
  if (operator === undefined) {
    return broken(condition, 'unknown operator');
  }
  const tolerant = tolerantField(field);
  const result = operator.compileOperand(condition.value, tolerant);
  if (!result.ok) {
    return broken(condition, result.message);
  }
  return { condition, test: (value) => operator.test(value, result.operand, tolerant), problem: null };
}

function broken(condition: Condition, problem: string): CompiledCondition {
  return { condition, test: () => false, problem };
}

/** Users and options come and go while records keep naming them. */
function tolerantField(field: FieldHandle): FieldHandle {
  if (field.definition.type !== 'user' && field.definition.type !== 'enumeration') {
    return field;
  }
  return {
    ...field,
    parse: (value) => {
      const parsed = field.parse(value);
      return parsed.ok || typeof value !== 'string' ? parsed : { ok: true, value: value.trim() };
    },
  };
}

import type { ObjectType } from '../../fields/object-type.js';
import type { Condition, Trigger } from '../model/router-configuration.js';
import type { FieldHandle, FieldLookup } from './field-value.js';
import type { TriggerOperator, ValueTest } from './trigger-operator.js';
import { FieldSlots } from './record-values.js';

/** A compiled condition. */
export interface CompiledCondition {
  readonly condition: Condition;
  /** The place of its field in `FieldSlots`. */
  readonly slot: number;
  readonly test: ValueTest;
  /**
   * Why the condition can never hold: its field, operator or operand is no longer valid. Null for a valid
   * condition.
   */
  readonly problem: string | null;
}

/** A compiled trigger. */
export interface CompiledTrigger {
  /** Groups of conditions. */
  readonly groups: readonly (readonly CompiledCondition[])[];
  /** The places of the fields, common to all triggers of a router. */
  readonly slots: FieldSlots;
}

/** The parts from which a trigger is compiled. */
export interface TriggerParts {
  readonly fields: FieldLookup;
  /** The registered operators by id. */
  readonly operators: ReadonlyMap<string, TriggerOperator>;
  /** The places of the fields, if several triggers share them. */
  readonly slots?: FieldSlots;
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
  { fields, operators, slots = new FieldSlots() }: TriggerParts,
): CompiledTrigger {
  const groups = trigger.groups.map((group) =>
    group.conditions.map((condition): CompiledCondition => {
      const field = fields(objectType, condition.field);
      const slot = slots.slot(condition.field, field);
      return { condition, slot, ...compileTest(condition, field, operators.get(condition.operator)) };
    }),
  );
  return { groups, slots };
}

function compileTest(
  condition: Condition,
  field: FieldHandle | undefined,
  operator: TriggerOperator | undefined,
): Pick<CompiledCondition, 'test' | 'problem'> {
  if (field === undefined) {
    return broken('unknown field');
  }
  if (operator === undefined) {
    return broken('unknown operator');
  }
  const result = operator.compile(condition.value, tolerantField(field));
  return result.ok ? { test: result.test, problem: null } : broken(result.message);
}

function broken(problem: string): Pick<CompiledCondition, 'test' | 'problem'> {
  return { test: () => false, problem };
}

/** Users and options may be removed while records and conditions still name them. */
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

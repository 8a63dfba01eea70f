import type { FieldHandle } from './field-lookup.js';
import type { ParsedOperand } from './operand.js';
import type { TriggerOperator, ValueTest } from './trigger-operator.js';

/** An operator in two steps: `read` reads the operand, `prepare` makes the test of it. */
export function preparedOperator<Operand>(
  id: string,
  read: (value: unknown, field: FieldHandle) => ParsedOperand<Operand>,
  prepare: (operand: Operand, field: FieldHandle) => ValueTest,
): TriggerOperator {
  return {
    id,
    compile: (value, field) => {
      const parsed = read(value, field);
      return parsed.ok ? { ok: true, test: prepare(parsed.operand, field) } : parsed;
    },
  };
}

/**
 * The opposite of an operator: it holds exactly if the other one does not. It always holds for a missing
 * value if the other one never does.
 */
export function negate(id: string, operator: TriggerOperator): TriggerOperator {
  return {
    id,
    compile: (value, field) => {
      const result = operator.compile(value, field);
      return result.ok ? { ok: true, test: (tested) => !result.test(tested) } : result;
    },
  };
}

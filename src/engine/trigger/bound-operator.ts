import type { FieldHandle } from './field-lookup.js';
import { FieldValue } from './field-value.js';
import type { OperandResult, TriggerOperator, ValueTest } from './trigger-operator.js';

/** An operator that is written as a prepared test. */
export type BoundOperator<Operand> = TriggerOperator<Operand> &
  Required<Pick<TriggerOperator<Operand>, 'bind'>>;

/** Makes an operator of its prepared test. */
export function boundOperator<Operand>(
  id: string,
  compileOperand: (value: unknown, field: FieldHandle) => OperandResult<Operand>,
  bind: (operand: Operand, field: FieldHandle) => ValueTest,
): BoundOperator<Operand> {
  return {
    id,
    compileOperand,
    bind,
    test: (value, operand, field) =>
      bind(operand, field)(value === undefined ? undefined : new FieldValue(value, field)),
  };
}

/** The operator that holds exactly where another does not, so also for a missing value where the other never does. */
export function negate<Operand>(id: string, operator: BoundOperator<Operand>): BoundOperator<Operand> {
  return boundOperator(
    id,
    (value, field) => operator.compileOperand(value, field),
    (operand, field) => {
      const test = operator.bind(operand, field);
      return (value) => !test(value);
    },
  );
}

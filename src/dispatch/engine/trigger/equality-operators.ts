import { compareStored, negate, parseList, parseScalar, refuseValue } from './operand.js';
import type { TriggerOperator } from './trigger-operator.js';

/** `eq`: the value equals the operand by the field's type; never for a missing value. */
export const EQ: TriggerOperator<string> = {
  id: 'eq',
  compileOperand: parseScalar,
  test: (value, operand, field) => value !== undefined && compareStored(value, operand, field) === 0,
};

/** `neq`: the opposite of `eq`, so it holds for a missing value. */
export const NEQ = negate('neq', EQ);

/** `in`: the value equals one of a list; never for a missing value. */
export const IN: TriggerOperator<readonly string[]> = {
  id: 'in',
  compileOperand: (value, field) =>
    Array.isArray(value) && value.length > 0
      ? parseList(value, field)
      : refuseValue('value must be a list of at least one value'),
  test: (value, operands, field) =>
    value !== undefined && operands.some((operand) => compareStored(value, operand, field) === 0),
};

/** `not_in`: the opposite of `in`, so it holds for a missing value. */
export const NOT_IN = negate('not_in', IN);

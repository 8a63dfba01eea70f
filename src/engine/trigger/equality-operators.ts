import { preparedOperator, negate } from './prepared-operator.js';
import { equalsOneOf, FieldValue } from './field-value.js';
import { parseList, parseScalar, refuseValue } from './operand.js';
import type { FieldHandle } from './field-lookup.js';
import type { ValueTest } from './trigger-operator.js';

/** `eq`: the value equals the operand by the field's type; never for a missing value. */
export const EQ = preparedOperator<string>('eq', parseScalar, (operand, field) => oneOf([operand], field));

/** `neq`: the opposite of `eq`, so it holds for a missing value. */
export const NEQ = negate('neq', EQ);

/** `in`: the value equals one of a list; never for a missing value. */
export const IN = preparedOperator<readonly string[]>(
  'in',
  (value, field) =>
    Array.isArray(value) && value.length > 0
      ? parseList(value, field)
      : refuseValue('value must be a list of at least one value'),
  oneOf,
);

/** `not_in`: the opposite of `in`, so it holds for a missing value. */
export const NOT_IN = negate('not_in', IN);

function oneOf(operands: readonly string[], field: FieldHandle): ValueTest {
  const equals = equalsOneOf(operands.map((operand) => new FieldValue(operand, field)));
  return (value) => value !== undefined && equals(value);
}

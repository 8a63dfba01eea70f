import { compareStored, parseList, parseScalar, refuseValue } from './operand.js';
import type { TriggerOperator } from './trigger-operator.js';

/** An operator on the order of the field's type; never holds for a missing value. */
function orderOperator(id: string, holds: (order: number) => boolean): TriggerOperator<string> {
  return {
    id,
    compileOperand: parseScalar,
    test: (value, operand, field) => value !== undefined && holds(compareStored(value, operand, field)),
  };
}

/** `gt`: after the operand in the order of the field's type. */
export const GT = orderOperator('gt', (order) => order > 0);

/** `gte`: after the operand or equal to it. */
export const GTE = orderOperator('gte', (order) => order >= 0);

/** `lt`: before the operand in the order of the field's type. */
export const LT = orderOperator('lt', (order) => order < 0);

/** `lte`: before the operand or equal to it. */
export const LTE = orderOperator('lte', (order) => order <= 0);

/** `between`: from the first to the second of two operands, both included. */
export const BETWEEN: TriggerOperator<{ readonly low: string; readonly high: string }> = {
  id: 'between',
  compileOperand: (value, field) => {
    if (!Array.isArray(value) || value.length !== 2) {
      return refuseValue('value must be a list of two values, [low, high]');
    }
    const parsed = parseList(value, field);
    if (!parsed.ok) {
      return parsed;
    }
    const [low = '', high = ''] = parsed.operand;
    return compareStored(low, high, field) > 0
      ? refuseValue('the first of the two values must not be above the second')
      : { ok: true, operand: { low, high } };
  },
  test: (value, { low, high }, field) =>
    value !== undefined && compareStored(value, low, field) >= 0 && compareStored(value, high, field) <= 0,
};

import { boundOperator, type BoundOperator } from './bound-operator.js';
import { FieldValue, valueOrder } from './field-value.js';
import { parseList, parseScalar, refuseValue } from './operand.js';

/** An operator on the order of the field's type; never holds for a missing value. */
function orderOperator(id: string, holds: (order: number) => boolean): BoundOperator<string> {
  return boundOperator<string>(id, parseScalar, (operand, field) => {
    const order = valueOrder(field);
    const bound = new FieldValue(operand, field.definition.type);
    return (value) => value !== undefined && holds(order(value, bound));
  });
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
export const BETWEEN = boundOperator<{ readonly low: string; readonly high: string }>(
  'between',
  (value, field) => {
    if (!Array.isArray(value) || value.length !== 2) {
      return refuseValue('value must be a list of two values, [low, high]');
    }
    const parsed = parseList(value, field);
    if (!parsed.ok) {
      return parsed;
    }
    const [low = '', high = ''] = parsed.operand;
    const { type } = field.definition;
    return valueOrder(field)(new FieldValue(low, type), new FieldValue(high, type)) > 0
      ? refuseValue('the first of the two values must not be above the second')
      : { ok: true, operand: { low, high } };
  },
  (operand, field) => {
    const order = valueOrder(field);
    const low = new FieldValue(operand.low, field.definition.type);
    const high = new FieldValue(operand.high, field.definition.type);
    return (value) => value !== undefined && order(value, low) >= 0 && order(value, high) <= 0;
  },
);

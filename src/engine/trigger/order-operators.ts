import { preparedOperator } from './prepared-operator.js';
import { FieldValue, orderRelativeTo } from './field-value.js';
import { parseList, parseScalar, refuseValue } from './operand.js';
import type { TriggerOperator } from './trigger-operator.js';

/** An operator on the order of the field's type; never holds for a missing value. */
function orderOperator(id: string, holds: (order: number) => boolean): TriggerOperator {
  return preparedOperator<string>(id, parseScalar, (operand, field) => {
    const order = orderRelativeTo(new FieldValue(operand, field));
    return (value) => value !== undefined && holds(order(value));
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
export const BETWEEN = preparedOperator<{ readonly low: FieldValue; readonly high: FieldValue }>(
  'between',
  (value, field) => {
    if (!Array.isArray(value) || value.length !== 2) {
      return refuseValue('value must be a list of two values, [low, high]');
    }
    const parsed = parseList(value, field);
    if (!parsed.ok) {
      return parsed;
    }
    const low = new FieldValue(parsed.operand[0] ?? '', field);
    const high = new FieldValue(parsed.operand[1] ?? '', field);
    return orderRelativeTo(high)(low) > 0
      ? refuseValue('the first of the two values must not be above the second')
      : { ok: true, operand: { low, high } };
  },
  ({ low, high }) => {
    const fromLow = orderRelativeTo(low);
    const fromHigh = orderRelativeTo(high);
    return (value) => value !== undefined && fromLow(value) >= 0 && fromHigh(value) <= 0;
  },
);

import type { FieldHandle } from './field-value.js';
import type { OperandRefusal } from './trigger-operator.js';

/** An operand that was read, or why it is refused. */
export type ParsedOperand<Operand> = { readonly ok: true; readonly operand: Operand } | OperandRefusal;

/** A refusal for the `value` of the condition. */
export function refuseValue(message: string): OperandRefusal {
  return { ok: false, message, blame: 'value' };
}

/** Reads one value and converts it to stored form. */
export function parseScalar(value: unknown, field: FieldHandle): ParsedOperand<string> {
  const scalar = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  if (!scalar || value === '') {
    return refuseValue(
      'value must be a string, a finite number or a boolean (is_empty tests for a missing value)',
    );
  }
  const parsed = field.parse(value);
  if (!parsed.ok) {
    return refuseValue(parsed.message);
  }
  return parsed.value === '' ? refuseValue('value must not be blank') : { ok: true, operand: parsed.value };
}

/** Reads a list of values. The message for an invalid one gives its position in the list. */
export function parseList(values: readonly unknown[], field: FieldHandle): ParsedOperand<string[]> {
  const operands: string[] = [];
  for (const [index, value] of values.entries()) {
    const parsed = parseScalar(value, field);
    if (!parsed.ok) {
      return refuseValue(`value[${index}]: ${parsed.message}`);
    }
    operands.push(parsed.operand);
  }
  return { ok: true, operand: operands };
}

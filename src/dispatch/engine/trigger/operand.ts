import type { FieldHandle } from './field-lookup.js';
import type { OperandResult, TriggerOperator } from './trigger-operator.js';

/** Text without regard to case. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** Orders two stored values as the field's type does, text case-insensitively. */
export function compareStored(left: string, right: string, field: FieldHandle): number {
  return field.definition.type === 'string'
    ? field.compare(foldCase(left), foldCase(right))
    : field.compare(left, right);
}

/** A refusal that blames the condition's `value`. */
export function refuseValue(message: string): OperandResult<never> {
  return { ok: false, message, blame: 'value' };
}

/** Reads one value in the form in which records store it. */
export function parseScalar(value: unknown, field: FieldHandle): OperandResult<string> {
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

/** Reads a list of values; the message of a bad one names its place in the list. */
export function parseList(values: readonly unknown[], field: FieldHandle): OperandResult<string[]> {
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

/** The operator that holds exactly where another does not, so also for a missing value where the other never does. */
export function negate<Operand>(id: string, operator: TriggerOperator<Operand>): TriggerOperator<Operand> {
  return {
    id,
    compileOperand: (value, field) => operator.compileOperand(value, field),
    test: (value, operand, field) => !operator.test(value, operand, field),
  };
}

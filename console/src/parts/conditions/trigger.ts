import type { Field, Trigger } from '../../api/types';

export type Condition = Trigger['groups'][number]['conditions'][number];

/** How many operands an operator takes. */
export type Arity = 'none' | 'one' | 'two' | 'many';

const ARITIES: Record<string, Arity> = {
  is_empty: 'none',
  is_not_empty: 'none',
  in: 'many',
  not_in: 'many',
  between: 'two',
};

export function arityOf(operator: string): Arity {
  return ARITIES[operator] ?? 'one';
}

const ORDERED = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'in',
  'not_in',
  'is_empty',
  'is_not_empty',
];
const CHOSEN = ['eq', 'neq', 'in', 'not_in', 'is_empty', 'is_not_empty'];
const TEXT = [
  'eq',
  'neq',
  'in',
  'not_in',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'is_empty',
  'is_not_empty',
];

const OPERATORS: Record<string, readonly string[]> = {
  string: [...TEXT, 'gt', 'gte', 'lt', 'lte', 'between'],
  number: ORDERED,
  datetime: ORDERED,
  bool: ['eq', 'neq', 'is_empty', 'is_not_empty'],
  enumeration: CHOSEN,
  user: CHOSEN,
  reference: CHOSEN,
};

/** The operators that are offered for a type of field, and the one that is used. */
export function operatorsOf(type: string, used: string): string[] {
  const offered = OPERATORS[type] ?? TEXT;
  return offered.includes(used) ? [...offered] : [...offered, used];
}

/** The operand in the form that another operator takes, as far as it can stay. */
export function operandFor(operator: string, value: unknown): unknown {
  const all = Array.isArray(value)
    ? (value as unknown[])
    : value === undefined || value === ''
      ? []
      : [value];
  switch (arityOf(operator)) {
    case 'none':
      return undefined;
    case 'many':
      return all;
    case 'two':
      return [all[0] ?? '', all[1] ?? ''];
    case 'one':
      return all[0] ?? '';
  }
}

/** A condition; without the key `value` where the operator takes none. */
export function conditionOf(field: string, operator: string, value: unknown): Condition {
  const operand = operandFor(operator, value);
  return operand === undefined ? { field, operator } : { field, operator, value: operand };
}

/**
 * What was typed for a field: a number where it is one, so that files show it without quotes. `1.0` on the
 * way to `1.05` stays as it was typed.
 */
export function typedValue(type: string, text: string): unknown {
  const isNumber = type === 'number' && /^-?\d+(\.\d+)?$/.test(text) && String(Number(text)) === text;
  return isNumber ? Number(text) : text;
}

/** The values of an operand as people read them: options by their labels. */
export function shownValues(field: Field | undefined, value: unknown): string[] {
  const all = Array.isArray(value) ? (value as unknown[]) : value === undefined ? [] : [value];
  const label = (text: string) =>
    field?.options?.find((option) => option.internal_name === text)?.label ?? text;
  return all.map((one) => label(typeof one === 'string' ? one : JSON.stringify(one)));
}

/** Whether a trigger takes every record: no groups, or an empty one. */
export function takesAll({ groups }: Trigger): boolean {
  return groups.length === 0 || groups.some(({ conditions }) => conditions.length === 0);
}

import { canonicalText } from '../../text/canonical-text.js';
import { textFinder } from '../../text/text-finder.js';
import { equalsOneOf, FieldValue, orderRelativeTo, type FieldHandle } from './field-value.js';

/** Whether a condition holds for a value; undefined for a record without a value. Never throws. */
export type ValueTest = (value: FieldValue | undefined) => boolean;

/** Why a condition is refused. `blame` is the key of the condition to correct. */
interface OperandRefusal {
  readonly ok: false;
  readonly message: string;
  readonly blame: 'operator' | 'value';
}

/** The test of a condition, or why the condition is refused. */
export type OperandResult = { readonly ok: true; readonly test: ValueTest } | OperandRefusal;

/** The value of a field in a search. */
export interface SqlValue {
  /** SQL for the stored text; null for a record without a value. Users have their e-mails. */
  readonly stored: string;
  /** Adds a parameter. @returns SQL for it, of type text or text[] */
  parameter(value: string | readonly string[]): string;
}

/** One way to compare a field of a record. The built-in operators are written like those of extensions. */
export interface TriggerOperator {
  /** The word that conditions use, unique among the registered operators. */
  readonly id: string;
  /**
   * Reads the configured `value` (undefined if it is left out) and prepares the test. Runs once for each
   * condition when a router is validated or compiled, while the test runs for each record. So work that does
   * not depend on the record belongs here.
   */
  compile(value: unknown, field: FieldHandle): OperandResult;

  /**
   * Returns the test as SQL, for searches: true where the test of `compile` is, and null or false elsewhere.
   * An operator without it is refused in searches. Values must be parameters.
   * @param value that `compile` accepts
   */
  sql?(value: unknown, field: SqlValue): string;
}

type ParsedOperand<Operand> = { readonly ok: true; readonly operand: Operand } | OperandRefusal;

function refuseValue(message: string): OperandRefusal {
  return { ok: false, message, blame: 'value' };
}

const BLANK = 'value must not be blank: is_empty and is_not_empty test for a missing value';

function parseScalar(value: unknown, field: FieldHandle): ParsedOperand<string> {
  if (value === null || (typeof value === 'string' && value.trim() === '')) return refuseValue(BLANK);
  if (typeof value !== 'string' && typeof value !== 'boolean' && !Number.isFinite(value))
    return refuseValue('value must be a string, a finite number or a boolean');
  const parsed = field.parse(value);
  if (!parsed.ok) return refuseValue(parsed.message);
  return parsed.value === '' ? refuseValue(BLANK) : { ok: true, operand: parsed.value };
}

/** Reads a list of values. The message for an invalid one gives its position in the list. */
export function parseList(values: readonly unknown[], field: FieldHandle): ParsedOperand<string[]> {
  const operands: string[] = [];
  for (const [index, value] of values.entries()) {
    const parsed = parseScalar(value, field);
    if (!parsed.ok) return refuseValue(`value[${index}]: ${parsed.message}`);
    operands.push(parsed.operand);
  }
  return { ok: true, operand: operands };
}

/** An operator in two steps: `read` reads the operand, `prepare` makes the test of it. */
function preparedOperator<Operand>(
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

/** The opposite of an operator: it holds exactly if the other one does not, also for a missing value. */
function negate(id: string, operator: TriggerOperator): TriggerOperator {
  return {
    id,
    compile: (value, field) => {
      const result = operator.compile(value, field);
      return result.ok ? { ok: true, test: (tested) => !result.test(tested) } : result;
    },
  };
}

/** `eq`: the value equals the operand by the field's type; never for a missing value. */
const EQ = preparedOperator<string>('eq', parseScalar, (operand, field) => oneOf([operand], field));

/** `in`: the value equals one of a list; never for a missing value. */
const IN = preparedOperator<readonly string[]>(
  'in',
  (value, field) =>
    Array.isArray(value) && value.length > 0
      ? parseList(value, field)
      : refuseValue('value must be a list of at least one value'),
  oneOf,
);

function oneOf(operands: readonly string[], field: FieldHandle): ValueTest {
  const equals = equalsOneOf(operands.map((operand) => new FieldValue(operand, field)));
  return (value) => value !== undefined && equals(value);
}

/** Types whose stored form is an encoding, not text that a user wrote. */
const NOT_TEXT: ReadonlySet<string> = new Set(['number', 'bool', 'datetime', 'reference']);

/**
 * An operator on the canonical text of the stored value. The operand may be a part of a value, so the
 * field's type does not parse it. @param prepare returns the test for a canonical operand
 */
function textOperator(id: string, prepare: (operand: string) => (text: string) => boolean): TriggerOperator {
  return preparedOperator<string>(
    id,
    (value, { definition }) => {
      if (NOT_TEXT.has(definition.type)) {
        const message = `${id} compares text, but ${definition.internalName} is of type ${definition.type}`;
        return { ok: false, message, blame: 'operator' };
      }
      const operand = typeof value === 'string' ? canonicalText(value) : '';
      return operand === '' ? refuseValue('value must be a string that is not blank') : { ok: true, operand };
    },
    (operand) => {
      const holds = prepare(operand);
      return (value) => value !== undefined && holds(value.folded);
    },
  );
}

/** `contains`: the operand is part of the value; never for a missing value. */
const CONTAINS = textOperator('contains', textFinder);

/** An operator on the order of the field's type; never holds for a missing value. */
function orderOperator(id: string, holds: (order: number) => boolean): TriggerOperator {
  return preparedOperator<string>(id, parseScalar, (operand, field) => {
    const order = orderRelativeTo(new FieldValue(operand, field));
    return (value) => value !== undefined && holds(order(value));
  });
}

/** `between`: from the first to the second of two operands, both included. */
const BETWEEN = preparedOperator<{ readonly low: FieldValue; readonly high: FieldValue }>(
  'between',
  (value, field) => {
    if (!Array.isArray(value) || value.length !== 2) {
      return refuseValue('value must be a list of two values, [low, high]');
    }
    const parsed = parseList(value, field);
    if (!parsed.ok) return parsed;
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

/** `is_empty`: the record has no value in the field, because it never had one or because it was cleared. */
const IS_EMPTY = preparedOperator<null>(
  'is_empty',
  (value) =>
    value === undefined || value === null || value === ''
      ? { ok: true, operand: null }
      : refuseValue('value must be left out: the operator takes none'),
  () => (value) => value === undefined,
);

/**
 * The operators of contract section 4, in its order. Of a missing value hold `is_empty` and the opposites of
 * operators that never hold for one: `neq`, `not_in`, `not_contains`.
 */
export const BUILTIN_OPERATORS: readonly TriggerOperator[] = [
  EQ,
  negate('neq', EQ),
  IN,
  negate('not_in', IN),
  CONTAINS,
  negate('not_contains', CONTAINS),
  textOperator('starts_with', (operand) => (text) => text.startsWith(operand)),
  textOperator('ends_with', (operand) => (text) => text.endsWith(operand)),
  orderOperator('gt', (order) => order > 0),
  orderOperator('gte', (order) => order >= 0),
  orderOperator('lt', (order) => order < 0),
  orderOperator('lte', (order) => order <= 0),
  BETWEEN,
  IS_EMPTY,
  negate('is_not_empty', IS_EMPTY),
];

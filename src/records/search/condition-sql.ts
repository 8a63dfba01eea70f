import { parseList, parseScalar, type Condition } from '../../engine/index.js';
import { canonicalText } from '../../text/canonical-text.js';
import { textProblem } from '../../text/text-problem.js';
import { columnComparison } from './column-comparison.js';
import type { ConditionSql } from './condition.js';
import { emptySpan, keySpan } from './key-span.js';
import { narrowing, type Narrowing } from './narrowing.js';
import type { SearchedField } from './searched-field.js';
import type { SqlValues } from './sql-values.js';
import { plainOrderKey, plainOrderSql } from './text-order.js';

/** `UNKNOWN_TEXT` as SQL. */
const UNKNOWN = "E'\\u0001'";

const NUMBER = "'^[+-]?[0-9]+([.][0-9]+)?$'";
/** More digits are none of a stored number, and may be more than PostgreSQL computes with. */
const MOST_DIGITS = 16_384;
/** The stored form of an instant, of days that there are. The migration of `index_key` has it too. */
const INSTANT =
  "'^(?!0000)([0-9]{4}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)|" +
  '([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)' +
  "T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][.][0-9]{3}Z$'";

/** SQL for the number that a text is; null where it is none. */
export const numberIn = (text: string): string =>
  `CASE WHEN octet_length(${text}) <= ${MOST_DIGITS} AND ${text} ~ ${NUMBER} THEN (${text})::numeric END`;

/** SQL for the instant that a text is, a text by whose bytes instants are ordered; null where it is none. */
export const instantIn = (text: string): string =>
  `CASE WHEN ${text} ~ ${INSTANT} THEN ${text} END COLLATE "C"`;

const EMPTY: ReadonlyMap<string, string> = new Map([
  ['is_empty', 'IS NULL'],
  ['is_not_empty', 'IS NOT NULL'],
]);
const NEGATED: ReadonlyMap<string, string> = new Map([
  ['neq', 'eq'],
  ['not_in', 'in'],
  ['not_contains', 'contains'],
]);
const ORDERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['gt', ['>']],
  ['gte', ['>=']],
  ['lt', ['<']],
  ['lte', ['<=']],
  ['between', ['>=', '<=']],
]);

/** The parts that the SQL of a condition is made of. */
interface Parts {
  readonly values: SqlValues;
  readonly narrowing: Narrowing;
}

/**
 * Compiles a valid condition. The operators that the engine has are known; one of an extension has a verdict
 * that is always null.
 */
export function conditionSql(condition: Condition, field: SearchedField, parts: Parts): ConditionSql {
  const { operator } = condition;
  const emptiness = EMPTY.get(operator);
  const exactly = (verdict: string): ConditionSql => ({ verdict, isExact: true, narrowing: undefined });
  if (emptiness !== undefined) {
    const span = operator === 'is_empty' ? emptySpan(field) : undefined;
    return { ...exactly(`(${field.value} ${emptiness})`), span };
  }
  const opposite = NEGATED.get(operator);
  if (opposite !== undefined) {
    const { verdict, isExact } = conditionSql({ ...condition, operator: opposite }, field, parts);
    return { verdict: `(NOT ${verdict})`, isExact, narrowing: undefined };
  }
  const operands = operandsOf(condition, field);
  if (operands === undefined) return { verdict: 'NULL::boolean', isExact: false, narrowing: undefined };
  if (field.comparison === 'column') return columnComparison(operator, operands, { field, ...parts });
  const test = compared(operator, operands, { field, values: parts.values }) ?? 'NULL::boolean';
  const isEquality = operator === 'eq' || operator === 'in';
  const found = isEquality && field.comparison === 'text' ? narrowing(field, operands, parts) : undefined;
  return {
    // A condition never holds for a missing value, whatever PostgreSQL knows of it.
    verdict: `(${field.value} IS NOT NULL AND ${test})`,
    isExact: false,
    narrowing: found?.sql,
    column: found?.column,
    owners: found?.owners,
    span: keySpan(condition, { operands, field, values: parts.values }),
  };
}

/** The operands in stored form, or as they are for a part of a text; undefined for an unknown operator. */
function operandsOf(
  { operator, value }: Condition,
  { handle }: SearchedField,
): readonly string[] | undefined {
  if (PARTS.has(operator)) return [String(value)];
  if (operator === 'eq' || (ORDERS.has(operator) && operator !== 'between')) {
    const parsed = parseScalar(value, handle);
    return parsed.ok ? [parsed.operand] : undefined;
  }
  if (operator !== 'in' && operator !== 'between') return undefined;
  const parsed = parseList(Array.isArray(value) ? value : [], handle);
  return parsed.ok ? parsed.operand : undefined;
}

interface Compared {
  readonly field: SearchedField;
  readonly values: SqlValues;
}

/** The test of a value that is there. Undefined where PostgreSQL cannot know its result. */
function compared(
  operator: string,
  operands: readonly string[],
  { field, values }: Compared,
): string | undefined {
  if (operands.some((operand) => textProblem(operand) !== undefined)) return undefined;
  switch (field.comparison) {
    case 'number':
      return byType(operator, numberIn(field.value), {
        operands,
        add: (each) => values.add(each, 'numeric'),
      });
    case 'instant':
      return byType(operator, instantIn(field.value), { operands, add: (each) => values.add(each, 'text') });
    case 'text':
      return asText(operator, operands.map(canonicalText), { field, values });
    default:
      return undefined;
  }
}

interface Operands {
  readonly operands: readonly string[];
  readonly add: (operand: string) => string;
}

function byType(operator: string, value: string, { operands, add }: Operands): string {
  const places = operands.map(add);
  const signs = ORDERS.get(operator);
  if (signs === undefined) return `(${value}) IN (${places.join(', ')})`;
  return `(${signs.map((sign, index) => `(${value}) ${sign} ${places[index] ?? ''}`).join(' AND ')})`;
}

/** Tests of the form of a text and an operand in that form. */
const PARTS: ReadonlyMap<string, (text: string, operand: string) => string> = new Map([
  ['contains', (text, operand) => `strpos(${text}, ${operand}) > 0`],
  ['starts_with', (text, operand) => `starts_with(${text}, ${operand})`],
  ['ends_with', (text, operand) => `right(${text}, char_length(${operand})) = ${operand}`],
]);

/** PostgreSQL looks for a longer text in quadratic time, which the engine does not. */
const MOST_SOUGHT = 250;

function asText(
  operator: string,
  operands: readonly string[],
  { field, values }: Compared,
): string | undefined {
  const text = `NULLIF(search_text(${field.value}), ${UNKNOWN})`;
  const part = PARTS.get(operator);
  const [first = ''] = operands;
  if (operator === 'contains' && first.length > MOST_SOUGHT) return undefined;
  if (part !== undefined) return part(text, values.add(first, 'text'));
  if (!ORDERS.has(operator)) return `${text} = ANY (${values.add(operands, 'text[]')})`;
  const keys = operands.flatMap((operand) => plainOrderKey(operand) ?? []);
  if (keys.length < operands.length) return undefined;
  const add = (key: string): string => values.add(key, 'text');
  return byType(operator, plainOrderSql(text, values), { operands: keys, add });
}

import type { Condition } from '../../engine/index.js';
import type { Directory } from '../../directory/index.js';
import { textProblem } from '../../text/text-problem.js';
import { dateRange, EQUAL, namesOfUsers, operandsOf, ORDERS } from './condition-sql.js';
import type { SearchedField } from './searched-field.js';
import type { SqlValues } from './sql-values.js';

/** Where the index of a field has the keys of all records for which a condition holds. */
export interface KeyRange {
  readonly field: SearchedField;
  /** Conditions of SQL on the keys `k`; where they are keys, no two hold for one. */
  readonly ranges: readonly string[];
  /** Whether each of them is of one key, so that its records come in the order of their ids. */
  readonly areKeys: boolean;
}

/** The key of a value that is no number or instant. It is greater than that of an empty field. */
const NO_PLACE = `E'\\u0001'`;
/** The keys of records that have a place in the order of an index, and of those that have none. */
export const PLACED = `k.key > ${NO_PLACE}`;
export const UNPLACED: readonly string[] = [`k.key = ''`, `k.key = ${NO_PLACE}`];

/** The most digits of the key of a number. */
const MOST_DIGITS = 1_000;
/** No text is greater in the order of bytes. */
const GREATEST = `U&'\\+10FFFF'`;

/** Returns where an index has the records of a valid condition; undefined where it does not tell. */
export function keyRange(
  condition: Condition,
  field: SearchedField,
  { values, directory }: { readonly values: SqlValues; readonly directory: Directory },
): KeyRange | undefined {
  const { operator } = condition;
  const { index, comparison } = field;
  if (index === undefined) return undefined;
  const isEquality = EQUAL.has(operator);
  const isOrder = ORDERS.has(operator) && comparison !== 'text' && comparison !== 'user';
  const range = (ranges: readonly string[], areKeys = false): KeyRange => ({ field, ranges, areKeys });
  if (operator === 'is_empty' && index !== 'last_modified') return range([`k.key = ''`], true);
  if (!isEquality && !isOrder && (operator !== 'starts_with' || comparison !== 'text')) return undefined;
  const operands = operandsOf(condition, field);
  if (operands.some((operand) => textProblem(operand) !== undefined)) return undefined;
  if (index === 'last_modified')
    return range([dateRange(operator, operands, ['k.key', (at) => values.add(instantKey(at), 'text')])]);
  if (index === 'number' && operands.some(({ length }) => length > MOST_DIGITS)) return undefined;
  const names = comparison === 'user' ? namesOfUsers(operands, directory) : operands;
  const keys = names.map((name) => keyOf(name, field, values));
  const [first = '', second = ''] = keys;
  const others = index === 'text' ? [] : [`k.key = ${NO_PLACE}`];
  if (isEquality && keys.length === 1) return range([`k.key = ${first}`, ...others], true);
  if (isEquality) return range([`k.key = ANY (ARRAY[${keys.join(', ')}]::text[])`, ...others]);
  if (operator === 'starts_with') return range([`k.key >= ${first} AND k.key <= ${first} || ${GREATEST}`]);
  const until = (key: string): string => `${PLACED} AND k.key <= ${key}`;
  if (operator === 'between') return range([`k.key >= ${first} AND k.key <= ${second}`, ...others]);
  return range([operator.startsWith('g') ? `k.key >= ${first}` : until(first), ...others]);
}

/** SQL for the key of a value. */
export const keyOf = (value: string, { index = 'text' }: SearchedField, values: SqlValues): string =>
  `index_key('${index}', ${values.add(value, 'text')})`;

/** The key of an instant in the index of `last_modified_date`, which has microseconds. */
const instantKey = (at: Date): string =>
  at.getUTCFullYear() > 9999 ? '~' : at.toISOString().replace('Z', '000Z');

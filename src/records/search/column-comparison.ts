import { firstIdAt } from '../../database/index.js';
import type { ConditionSql, KeySpan } from './condition.js';
import type { SearchedField } from './searched-field.js';
import type { SqlValues } from './sql-values.js';

/** How a column of instants is compared: `from` the first instant on, and before the instant `until`. */
interface Span {
  readonly from?: number;
  readonly until?: number;
}

/** The instants, in whole milliseconds as records show them, for which an operator holds. */
function span(operator: string, [first = 0, second = first]: readonly number[]): Span {
  switch (operator) {
    case 'gt':
      return { from: first + 1 };
    case 'gte':
      return { from: first };
    case 'lt':
      return { until: first };
    case 'lte':
      return { until: first + 1 };
    case 'between':
      return { from: first, until: second + 1 };
    default:
      return { from: first, until: first + 1 };
  }
}

/**
 * Compares a column, whose instants have microseconds, as the milliseconds that records show. It is a range
 * of the column. The ids of records have the instant of their creation too, and an index.
 */
export function columnComparison(
  operator: string,
  operands: readonly string[],
  { field, values }: { readonly field: SearchedField; readonly values: SqlValues },
): ConditionSql {
  const instants = operands.map((operand) => new Date(operand).getTime());
  const spans = operator === 'in' ? instants.map((each) => span('eq', [each])) : [span(operator, instants)];
  const range = (column: string, type: string, textOf: (at: Date) => string): string => {
    const ranges = spans.map(({ from, until }) => {
      const low = from === undefined ? [] : [`${column} >= ${values.add(textOf(new Date(from)), type)}`];
      const high = until === undefined ? [] : [`${column} < ${values.add(textOf(new Date(until)), type)}`];
      return `(${[...low, ...high].join(' AND ')})`;
    });
    return `(${ranges.join(' OR ')})`;
  };
  const verdict = range(field.value, 'timestamptz', instantText);
  const isCreation = field.name === 'create_date';
  const inIndex = changedSpan(field, range('k.key', 'text', changedKey));
  return {
    verdict,
    isExact: true,
    narrowing: isCreation ? range('r.id', 'uuid', firstIdAt) : undefined,
    span: inIndex,
  };
}

const changedSpan = ({ name, index }: SearchedField, range: string): KeySpan | undefined =>
  index === 'changed' ? { field: name, ranges: [range], areKeys: false } : undefined;

/** The key of an instant in the index of `last_modified_date`, which has microseconds. */
const changedKey = (at: Date): string =>
  at.getUTCFullYear() > 9999 ? '~' : at.toISOString().replace('Z', '000Z');

/** ISO 8601 writes years above 9999 in a way that PostgreSQL does not read. */
const instantText = (at: Date): string => (at.getUTCFullYear() > 9999 ? 'infinity' : at.toISOString());

import { columnComparison } from './column-comparison.js';
import type { SearchedField } from './searched-field.js';
import { SqlValues } from './sql-values.js';

const AT = '2026-06-10T12:00:00.500Z';
const NEXT = '2026-06-10T12:00:00.501Z';
const LATER = '2026-06-11T00:00:00.000Z';

/** The range of a column of instants for which an operator holds, with its values in their places. */
function rangeOf(operator: string, ...operands: readonly string[]): string {
  const values = new SqlValues();
  const field = { name: 'last_modified_date', value: 'at' } as unknown as SearchedField;
  const { verdict } = columnComparison(operator, operands, { field, values });
  const { statement, values: all } = values.compose(verdict);
  return statement.text.replace(/\$(\d+)::timestamptz/g, (_, place: string) =>
    String(all[Number(place) - 1]),
  );
}

// A record shows the millisecond of a column that has microseconds.
describe('an instant in whole milliseconds', () => {
  it.each([
    ['gt', [AT], `((at >= ${NEXT}))`],
    ['gte', [AT], `((at >= ${AT}))`],
    ['lt', [AT], `((at < ${AT}))`],
    ['lte', [AT], `((at < ${NEXT}))`],
    ['eq', [AT], `((at >= ${AT} AND at < ${NEXT}))`],
    ['between', [AT, AT], `((at >= ${AT} AND at < ${NEXT}))`],
    ['between', [LATER, AT], `((at >= ${LATER} AND at < ${NEXT}))`],
    [
      'in',
      [LATER, AT],
      `((at >= ${LATER} AND at < 2026-06-11T00:00:00.001Z) OR (at >= ${AT} AND at < ${NEXT}))`,
    ],
  ])('is compared with all microseconds of it: %s %j [contract 7]', (operator, operands, range) => {
    expect(rangeOf(operator, ...operands)).toBe(range);
  });
});

import type { Columns, ColumnUse } from './columns.js';
import type { ReadRow } from './source-row.js';

/** A value of a row, and what its column is for. */
export type RowValue = readonly [use: ColumnUse, value: unknown];

const NOT_ARCHIVED: readonly unknown[] = ['', 'false', false, null];

/** Returns what a row sets, or why it cannot be imported. */
export function rowValues(
  values: Iterable<RowValue>,
  columns: Columns,
): Pick<ReadRow, 'key' | 'fields'> | { readonly problem: string } {
  const fields: Record<string, unknown> = {};
  let id: unknown = null;
  for (const [use, value] of values) {
    if (typeof use === 'object') fields[use.field] = value;
    else if (use === 'id') id = value;
    else if (use === 'archived' && !NOT_ARCHIVED.includes(typeof value === 'string' ? value.trim() : value))
      return { problem: 'Archived records are not imported' };
  }
  const key = columns.key === 'id' ? id : Object.hasOwn(fields, columns.key) ? fields[columns.key] : null;
  return { key: key ?? null, fields };
}

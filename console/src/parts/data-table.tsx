import type { ReactNode } from 'react';
import classes from './data-table.module.css';

export interface Column<T> {
  key: string;
  heading: string;
  cell: (row: T) => ReactNode;
  /** Right-aligned figures. */
  numeric?: boolean;
}

interface DataTableProps<T> {
  /** What the table lists, for those who hear it. */
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
}

/** A table that becomes a list of cards on a narrow screen: then each value has its heading before it. */
export function DataTable<T>({ label, columns, rows, rowKey }: DataTableProps<T>) {
  return (
    <table className={classes.table} role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ key, heading, numeric }) => (
            <th key={key} role="columnheader" scope="col" className={numeric === true ? 'number' : undefined}>
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={rowKey(row)} role="row">
            {columns.map(({ key, heading, cell, numeric }) => (
              <td
                key={key}
                role="cell"
                data-heading={heading}
                className={numeric === true ? 'number' : undefined}
              >
                <div>{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

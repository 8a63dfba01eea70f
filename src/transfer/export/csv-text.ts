import { stringify } from 'csv-stringify/sync';
import type { RecordView } from '../../records/index.js';
import { OWN_COLUMNS } from '../rows/source-row.js';
import { disarmed } from '../rows/spreadsheet-cell.js';

/** How records are written as CSV. */
export interface CsvText {
  /** What comes before them. */
  readonly start: (columns: readonly string[]) => string;
  readonly rows: (views: readonly RecordView[], columns: readonly string[]) => string;
}

/** CSV as RFC 4180 has it, but for line feeds. */
export const plainCsv: CsvText = {
  start: (columns) => stringify([[...columns]]),
  rows: (views, columns) => stringify(views.map((view) => columns.map((name) => cell(view[name])))),
};

// Of line ends, only those of this kind would be in quotes.
const FOR_SPREADSHEETS = { record_delimiter: 'windows', quoted_match: /[\r\n]/ };

/** CSV that spreadsheets read as UTF-8, with no text that is a formula to them. Its last column says so. */
export const spreadsheetCsv: CsvText = {
  start: (columns) => `\uFEFF${stringify([[...columns, OWN_COLUMNS.spreadsheet]], FOR_SPREADSHEETS)}`,
  rows: (views, columns) => {
    const cells = views.map((view) => [...columns.map((name) => disarmed(cell(view[name]))), '']);
    return stringify(cells, FOR_SPREADSHEETS);
  },
};

function cell(value: string | false | null | undefined): string {
  return value === false ? 'false' : (value ?? '');
}

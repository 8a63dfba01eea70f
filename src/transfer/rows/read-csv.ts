import { parse, type CsvError } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import { invalid } from '../../errors/errors.js';
import { rowValues, type Columns, type ColumnUse, type RowValue } from './columns.js';
import { detectDelimiter } from './detect-delimiter.js';
import { MOST_ROW_BYTES, REJECT_COLUMNS, type RowSource, type SourceRow } from './source-row.js';

interface ParsedRow {
  readonly record: readonly string[];
  /** The text of the row, with empty lines before it. */
  readonly raw: string;
}

/** How a file is read. */
export interface CsvReading {
  readonly columns: Columns;
  /** Whether an empty cell clears the field. Otherwise the field stays as it is. */
  readonly clearEmpty: boolean;
  /** The most bytes of the text of a row. */
  readonly mostRowBytes?: number;
}

const LINE_BREAK = /\r\n?|\n/g;

/** What UTF-8 that is none is read as. */
const NOT_UTF8 = '\uFFFD';

/**
 * Reads CSV (RFC 4180) in UTF-8, with or without a byte order mark. The first row has the headings; cells are
 * separated by comma, semicolon or tab, as in that row. Quoted cells may have line breaks.
 * @throws DomainError 400 for headings that are wrong, or none
 */
export async function readCsv(source: AsyncIterable<Buffer>, reading: CsvReading): Promise<RowSource> {
  const { delimiter, chunks } = await detectDelimiter(source);
  const records = parsed(chunks, { delimiter, mostRowBytes: MOST_ROW_BYTES, ...reading });
  const first = await records.next();
  if (first.done === true)
    throw invalid([{ message: 'The file is empty: its first row must have headings' }]);
  if ('problem' in first.value) throw invalid([{ line: 1, message: first.value.problem }]);
  const all = first.value.cells.map((heading) => heading.trim());
  // Of a file of rejected rows, line and reason are no cells of its rows.
  const added = ADDED.every((name, index) => all[index] === name) ? ADDED.length : 0;
  const headings = all.slice(added);
  const uses = reading.columns.resolve(headings);
  const row = (cells: readonly string[]): string => stringify([[...cells]], { delimiter });
  return {
    rows: rowsOf(records, uses, { ...reading, added }),
    heading: row([...ADDED, ...headings]),
    rejected: ({ row: { line, content }, message }) =>
      row([String(line), message, ...(Array.isArray(content) ? (content as readonly string[]) : [])]),
  };
}

/** What stands before the cells of a row of a file of rejected rows. */
const ADDED: readonly string[] = [REJECT_COLUMNS.line, REJECT_COLUMNS.error];

async function* rowsOf(
  records: AsyncIterable<CsvRecord>,
  uses: readonly ColumnUse[],
  { columns, clearEmpty, added }: CsvReading & { readonly added: number },
): AsyncGenerator<SourceRow> {
  for await (const record of records) {
    if ('problem' in record) {
      yield { line: record.line, bytes: 0, content: null, problem: record.problem, ends: true };
      continue;
    }
    const { line, bytes } = record;
    const cells = record.cells.slice(added);
    const place = { line, bytes, content: cells };
    const problem = wrongNumber(cells.length, uses.length) ?? notUtf8(cells);
    yield problem === undefined
      ? { ...place, ...rowValues(valuesOf(cells, uses, clearEmpty), columns) }
      : { ...place, problem };
  }
}

function wrongNumber(cells: number, headings: number): string | undefined {
  return cells === headings ? undefined : `The row has ${cells} cells, and the headings are ${headings}`;
}

function notUtf8(cells: readonly string[]): string | undefined {
  return cells.some((cell) => cell.includes(NOT_UTF8)) ? 'The row has bytes that are not UTF-8' : undefined;
}

function* valuesOf(
  cells: readonly string[],
  uses: readonly ColumnUse[],
  clearEmpty: boolean,
): Generator<RowValue> {
  for (const [index, use] of uses.entries()) {
    const cell = cells[index] ?? '';
    if (typeof use !== 'object') yield [use, cell];
    else if (cell.trim() !== '') yield [use, use.cell(cell)];
    else if (clearEmpty) yield [use, null];
  }
}

/** A row of cells, or what is wrong with the file from a line on. */
type CsvRecord =
  | { readonly line: number; readonly bytes: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly problem: string };

/** Reads rows with the numbers of their lines, which the parser does not count right in quoted cells. */
async function* parsed(
  chunks: AsyncIterable<Buffer>,
  { delimiter, mostRowBytes }: { readonly delimiter: string; readonly mostRowBytes: number },
): AsyncGenerator<CsvRecord, void> {
  // Not the stream of the parser, which drops what it has parsed before an error.
  let found: ParsedRow[] = [];
  const parser = parse({
    bom: true,
    delimiter,
    raw: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: mostRowBytes,
    on_record: (record) => void found.push(record as unknown as ParsedRow),
  }).resume();
  let problem: string | undefined;
  parser.on('error', (error: CsvError) => (problem = problemOf(error, mostRowBytes)));
  let [lines, unfinished] = [0, 0];
  function* rows(): Generator<CsvRecord> {
    if (found.length > 0) unfinished = 0;
    for (const { record, raw } of found) {
      const before = /^[\r\n]*/.exec(raw)?.[0] ?? '';
      const line = lines + breaksIn(before) + 1;
      lines += breaksIn(raw);
      yield { line, bytes: raw.length, cells: record };
    }
    found = [];
  }
  for await (const chunk of chunks) {
    await new Promise((done) => parser.write(chunk, done));
    unfinished += chunk.length;
    yield* rows();
    // The parser bounds the text of a row, but not the number of its empty cells.
    if (unfinished > 2 * mostRowBytes) problem ??= tooLarge(mostRowBytes);
    if (problem !== undefined) break;
  }
  if (problem === undefined) {
    await new Promise((done) => parser.once('error', done).end(done));
    yield* rows();
  }
  if (problem !== undefined) yield { line: lines + 1, problem };
}

function breaksIn(text: string): number {
  return text.match(LINE_BREAK)?.length ?? 0;
}

const END = 'The rows behind it are not read.';
const tooLarge = (most: number): string =>
  `The row has more than ${most} bytes. Is a quote not closed? ${END}`;

function problemOf({ code, message }: CsvError, mostRowBytes: number): string {
  switch (code as string) {
    case 'CSV_MAX_RECORD_SIZE':
      return tooLarge(mostRowBytes);
    case 'CSV_QUOTE_NOT_CLOSED':
      return `A quote that begins in this row is not closed. ${END}`;
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'INVALID_OPENING_QUOTE':
      return `The row has a quote inside a cell: write "" for it, in a cell in quotes. ${END}`;
    default:
      return `${message} ${END}`;
  }
}

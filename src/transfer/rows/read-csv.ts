import { isUtf8 } from 'node:buffer';
import { invalid } from '../../errors/errors.js';
import { rowValues, type Columns, type ColumnUse, type RowValue } from './columns.js';
import { CsvRows, type CsvRow } from './csv-rows.js';
import { startOfCsv, type CsvStart } from './csv-start.js';
import { beginningOf, inUtf8, UTF8, type Beginning } from './in-utf8.js';
import {
  MOST_ROW_BYTES,
  OWN_COLUMNS,
  type Rejection,
  type RowContent,
  type RowSource,
  type SourceRow,
} from './source-row.js';
import { rearmed } from './spreadsheet-cell.js';

/** How a file is read. */
export interface CsvReading {
  readonly columns: Columns;
  /** Whether an empty cell clears the field. Otherwise the field stays as it is. */
  readonly clearEmpty: boolean;
  /** A label of the Encoding Standard; UTF-8 unless given. A byte order mark of the file goes before. */
  readonly encoding?: string | undefined;
  /** Number of lines before the headings that are left out. */
  readonly skipLines?: number | undefined;
}

/** The most bytes of lines that are left out, and of the headings that say what separates cells. */
const MOST_START_BYTES = 64 * 1024;

/**
 * Reads CSV: the rows of `CsvRows`, but for blank ones. The first one has the headings. A line `sep=;` may
 * come before it.
 * @throws DomainError 400 for headings that are wrong, or none, and for a file that is no CSV
 */
export async function readCsv(source: AsyncIterable<Buffer>, reading: CsvReading): Promise<RowSource> {
  const { columns, skipLines = 0 } = reading;
  const { chunks, encoding, isMarked } = await inUtf8(source, reading.encoding);
  const { bytes, rest } = await beginningOf(chunks, MOST_START_BYTES);
  const { at, line, delimiter, separatorLine } = startOf(bytes, skipLines);
  const rows = parsed(
    { bytes: bytes.subarray(at), rest },
    new CsvRows({ delimiter, line, most: MOST_ROW_BYTES }),
  );
  let format: CsvFormat = { encoding, delimiter, added: 0 };
  const first = await firstOf(rows);
  const { cells, content, problem } = asText(first, format);
  if (problem !== undefined) throw invalid([{ line: first.line, message: `Line ${first.line}: ${problem}` }]);
  const headings = cells.map((heading) => heading.trim());
  // Of a file of rejected rows, line and reason are no cells of its rows.
  if (ADDED.every((name, index) => headings[index] === name)) format = { ...format, added: ADDED.length };
  const own = headings.slice(format.added);
  const uses = columns.resolve(own);
  const isDisarmed = own.includes(OWN_COLUMNS.spreadsheet);
  // Where the file was no UTF-8, the mark says that the rejected rows are.
  const mark = isMarked || encoding !== UTF8 ? '\uFEFF' : '';
  const added = format.added === 0 ? [...ADDED, ''].join(delimiter) : '';
  return {
    rows: rowsOf(rows, uses, { ...reading, ...format, isDisarmed, headings: own }),
    heading: `${mark}${separatorLine}${added}${content as string}\n`,
    rejected: (rejection) => rejected(rejection, delimiter),
  };
}

/** What stands before the cells of a row of a file of rejected rows. */
const ADDED: readonly string[] = [OWN_COLUMNS.line, OWN_COLUMNS.error];

const NOT_UTF8 =
  'The row has bytes that are not UTF-8: is the file Windows-1252? Try --encoding windows-1252';

/** What rows are read with. */
interface CsvFormat {
  readonly encoding: string;
  readonly delimiter: string;
  /** Number of cells before those of the row itself. */
  readonly added: number;
}

/** A row as text. Where there is a problem, it has no cells. */
interface CsvText {
  readonly cells: readonly string[];
  readonly content: RowContent;
  readonly problem: string | undefined;
}

function startOf(bytes: Buffer, skipLines: number): CsvStart {
  const start = startOfCsv(bytes.toString('latin1'), skipLines);
  if (start !== undefined) return start;
  const what = `the ${skipLines} lines that --skip-lines leaves out`;
  const isWhole = bytes.length < MOST_START_BYTES;
  const problem = isWhole ? `The file ends in ${what}` : `More than ${MOST_START_BYTES} bytes are in ${what}`;
  throw invalid([{ message: problem }]);
}

/** Reads rows, of which each character is a byte. */
async function* parsed({ bytes, rest }: Beginning, rows: CsvRows): AsyncGenerator<CsvRow, undefined> {
  yield* rows.add(bytes.toString('latin1'));
  for await (const chunk of rest) yield* rows.add(chunk.toString('latin1'));
  yield* rows.end();
}

/** Reads the first row that is not blank. */
async function firstOf(rows: AsyncIterator<CsvRow>): Promise<CsvRow> {
  for (let next = await rows.next(); next.done !== true; next = await rows.next()) {
    if ('problem' in next.value || !isBlank(next.value.cells)) return next.value;
  }
  throw invalid([{ message: 'The file is empty: its first row must have headings' }]);
}

async function* rowsOf(
  rows: AsyncIterable<CsvRow>,
  uses: readonly ColumnUse[],
  format: CsvFormat & CsvReading & { readonly isDisarmed: boolean; readonly headings: readonly string[] },
): AsyncGenerator<SourceRow> {
  for await (const row of rows) {
    const { cells, content, problem = wrongNumber(cells, uses.length) } = asText(row, format);
    // A rejected row that was too large to be kept has no cells but those that were added.
    if ('cells' in row && isBlank(cells.length > 0 ? cells : row.cells)) continue;
    // Files that were put together have the headings again.
    if (cells.length > 1 && isSame(cells, format.headings)) continue;
    const place = { line: row.line, bytes: row.text?.length ?? 0, content };
    const values = valuesOf(format.isDisarmed ? cells.map(rearmed) : cells, uses, format.clearEmpty);
    yield problem === undefined ? { ...place, ...rowValues(values, format.columns) } : { ...place, problem };
  }
}

/** Returns a row as text, without the cells that were added to it. */
function asText(row: CsvRow, { encoding, delimiter, added }: CsvFormat): CsvText {
  const bytes = row.text === null || added === 0 ? row.text : behindCells(row.text, { delimiter, added });
  const content = bytes === null ? null : textOf(bytes);
  const refused = (problem: string): CsvText => ({ cells: [], content, problem });
  if ('problem' in row) return refused(row.problem);
  if (Buffer.isBuffer(content)) return refused(NOT_UTF8);
  if (encoding !== UTF8 && content?.includes('\uFFFD') === true)
    return refused(`The row has bytes that are not ${encoding}`);
  const cells = added === 0 ? row.cells : row.cells.slice(added);
  // UTF-8 has more bytes than characters, but for ASCII.
  const isAscii = content?.length === bytes?.length;
  return { cells: isAscii ? cells : cells.map((cell) => String(textOf(cell))), content, problem: undefined };
}

const NOT_ASCII = /[\x80-\xff]/;

/** Returns bytes, of which each is a character, as the text that they are in UTF-8; or as bytes. */
function textOf(characters: string): string | Buffer {
  if (!NOT_ASCII.test(characters)) return characters;
  const bytes = Buffer.from(characters, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : bytes;
}

/** Returns what a row has behind its first cells; all of it where it has no more than these. */
function behindCells(text: string, { delimiter, added }: Pick<CsvFormat, 'delimiter' | 'added'>): string {
  const end = `\\x${delimiter.charCodeAt(0).toString(16).padStart(2, '0')}`;
  const cell = `(?: *"[^"]*(?:""[^"]*)*" *|(?! *")[^${end}\r\n]*)`;
  return text.replace(new RegExp(`^(?:${cell}${end}){${added}}`), '');
}

/** Whether cells are the headings, of which the first may have the byte order mark of another file. */
function isSame(cells: readonly string[], headings: readonly string[]): boolean {
  return headings.every((heading, index) => cells[index]?.replace(/^\uFEFF/, '').trim() === heading);
}

function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

/** Blank cells behind those of the headings do not count: many programs end each row with a separator. */
function wrongNumber(cells: readonly string[], headings: number): string | undefined {
  if (cells.length === headings || (cells.length > headings && isBlank(cells.slice(headings))))
    return undefined;
  return `The row has ${cells.length} cells, and the headings are ${headings}`;
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

/**
 * Returns a row with line and reason before it. The quotes around the reason, which begins with a word, show
 * where a row before has left a quote open.
 */
function rejected({ row: { line, content }, message }: Rejection, delimiter: string): string | Buffer {
  const added = `${line}${delimiter}"${message.replaceAll('"', '""')}"`;
  if (content === null) return `${added}\n`;
  if (typeof content === 'string') return `${added}${delimiter}${content}\n`;
  return Buffer.concat([Buffer.from(`${added}${delimiter}`), content, Buffer.from('\n')]);
}

import { isUtf8 } from 'node:buffer';
import { invalid } from '../../errors/errors.js';
import { parseJson } from '../../http/body/json.js';
import { isPlainObject } from '../../text/is-plain-object.js';
import { rowValues, type Columns, type RowValue } from './columns.js';
import { MOST_ROW_BYTES, OWN_COLUMNS, type Rejection, type RowSource, type SourceRow } from './source-row.js';

/**
 * Reads JSON lines in UTF-8: each an object of fields by name, or `{"fields": {...}}` as in a request body.
 * Null and an empty text clear a field.
 */
export function readNdjson(source: AsyncIterable<Buffer>, columns: Columns): RowSource {
  return { rows: rowsOf(source, columns), heading: '', rejected };
}

async function* rowsOf(source: AsyncIterable<Buffer>, columns: Columns): AsyncGenerator<SourceRow> {
  let isFirst = true;
  for await (const { line, bytes } of readLines(source, MOST_ROW_BYTES)) {
    if (bytes === undefined) {
      yield { line, bytes: 0, content: null, problem: `The line has more than ${MOST_ROW_BYTES} bytes` };
      continue;
    }
    if (!isUtf8(bytes)) {
      const problem = 'The line has bytes that are not UTF-8';
      yield { line, bytes: bytes.length, content: bytes, problem };
      continue;
    }
    // A byte order mark is white space, too.
    const text = bytes.toString('utf8').trim();
    if (text === '') continue;
    if (isFirst && text.startsWith('['))
      throw invalid([{ line, message: 'The file is a JSON array: write each object on a line of its own' }]);
    isFirst = false;
    yield { line, bytes: bytes.length, content: text, ...read(text, columns) };
  }
}

function read(text: string, columns: Columns): ReturnType<typeof rowValues> {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return { problem: 'The line is not JSON' };
  }
  if (!isPlainObject(value)) return { problem: 'The line is not a JSON object' };
  const values: RowValue[] = [];
  const problems: string[] = [];
  const taken = new Set(columns.constants.keys());
  for (const [name, each] of Object.entries(fieldsOf(value))) {
    const use = columns.use(name);
    problems.push(...columns.problems(name).map(({ message }) => message));
    if (typeof use !== 'object') values.push([use, each]);
    else if (taken.has(use.field)) problems.push(`Two values are for ${use.field}`);
    else {
      taken.add(use.field);
      values.push([use, use.json(each)]);
    }
  }
  return problems.length > 0 ? { problem: problems.join('; ') } : rowValues(values, columns);
}

/** Returns the fields of an object that has nothing else, or the object. */
function fieldsOf(object: Record<string, unknown>): Record<string, unknown> {
  const added: readonly string[] = Object.values(OWN_COLUMNS);
  const [name, ...others] = Object.keys(object).filter((each) => !added.includes(each));
  const fields = name === 'fields' && others.length === 0 ? object['fields'] : undefined;
  return isPlainObject(fields) ? fields : object;
}

/**
 * Returns a line with line and error, which replace those of an earlier import. Bytes that are not UTF-8 stay
 * as they are: each is a character of Latin-1 in between.
 */
function rejected({ row: { line, content }, message }: Rejection): string | Buffer {
  const added = { [OWN_COLUMNS.line]: line, [OWN_COLUMNS.error]: message };
  if (Buffer.isBuffer(content)) return Buffer.from(withAdded(content.toString('latin1'), added), 'latin1');
  return withAdded(typeof content === 'string' ? content : '', added);
}

/** Adds values at the end of an object, or makes one that has a text that is no object. */
function withAdded(line: string, added: Readonly<Record<string, unknown>>): string {
  const text = trimmed(line);
  if (!isObject(text))
    return `${JSON.stringify({ ...added, ...(text !== '' && { [OWN_COLUMNS.text]: text }) })}\n`;
  const inside = trimmed(text.slice(1, -1));
  return `{${inside}${inside === '' ? '' : ','}${JSON.stringify(added).slice(1)}\n`;
}

const SPACES = ' \t\r\n';

/** Leaves out the whitespace of JSON alone: a byte of Latin-1 may look like another space. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && SPACES.includes(text.charAt(start))) start++;
  while (end > start && SPACES.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

function isObject(text: string): boolean {
  try {
    return isPlainObject(JSON.parse(text));
  } catch {
    return false;
  }
}

const NEWLINE = 0x0a;

interface Line {
  /** Its number, from 1. */
  readonly line: number;
  /** Without the newline; undefined for a line that is too long. */
  readonly bytes: Buffer | undefined;
}

/** Reads the lines of a file, of which it keeps no more than one. */
async function* readLines(source: AsyncIterable<Buffer>, most: number): AsyncGenerator<Line> {
  let [line, length] = [1, 0];
  let parts: Buffer[] = [];
  const whole = (): Line => ({ line, bytes: length > most ? undefined : Buffer.concat(parts) });
  for await (const chunk of source) {
    for (let start = 0, end = 0; end >= 0; start = end + 1) {
      end = chunk.indexOf(NEWLINE, start);
      const part = chunk.subarray(start, end < 0 ? chunk.length : end);
      length += part.length;
      if (length <= most) parts.push(part);
      if (end < 0) break;
      yield whole();
      [line, length, parts] = [line + 1, 0, []];
    }
  }
  if (length > 0) yield whole();
}

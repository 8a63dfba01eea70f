import { isUtf8 } from 'node:buffer';
import { parseJson } from '../../http/body/parse-json.js';
import { isPlainObject } from '../../text/is-plain-object.js';
import type { Columns } from './columns.js';
import { readLines } from './read-lines.js';
import { rowValues, type RowValue } from './row-values.js';
import {
  MOST_ROW_BYTES,
  REJECT_COLUMNS,
  type Rejection,
  type RowSource,
  type SourceRow,
} from './source-row.js';

/**
 * Reads JSON lines in UTF-8: each an object of fields by name, or `{"fields": {...}}` as in a request body.
 * Null and an empty text clear a field.
 */
export function readNdjson(source: AsyncIterable<Buffer>, columns: Columns): RowSource {
  return { rows: rowsOf(source, columns), heading: '', rejected };
}

async function* rowsOf(source: AsyncIterable<Buffer>, columns: Columns): AsyncGenerator<SourceRow> {
  for await (const { line, bytes } of readLines(source, MOST_ROW_BYTES)) {
    if (bytes === undefined) {
      yield { line, bytes: 0, content: null, problem: `The line has more than ${MOST_ROW_BYTES} bytes` };
      continue;
    }
    const text = bytes.toString('utf8').trim();
    if (text === '') continue;
    const place = { line, bytes: bytes.length, content: text };
    if (!isUtf8(bytes)) yield { ...place, problem: 'The line has bytes that are not UTF-8' };
    else yield { ...place, ...read(text, columns) };
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
  for (const [name, each] of Object.entries(fieldsOf(value))) {
    const use = columns.use(name);
    if (use === 'unknown') problems.push(columns.unknown(name).message);
    else values.push([use, each]);
  }
  return problems.length > 0 ? { problem: problems.join('; ') } : rowValues(values, columns);
}

/** Returns the fields of an object that has nothing else, or the object. */
function fieldsOf(object: Record<string, unknown>): Record<string, unknown> {
  const added: readonly string[] = Object.values(REJECT_COLUMNS);
  const [name, ...others] = Object.keys(object).filter((each) => !added.includes(each));
  const fields = name === 'fields' && others.length === 0 ? object['fields'] : undefined;
  return isPlainObject(fields) ? fields : object;
}

/** Adds line and error at the end of an object, where they replace those of an earlier import. */
function rejected({ row: { line, content }, message }: Rejection): string {
  const added = { [REJECT_COLUMNS.line]: line, [REJECT_COLUMNS.error]: message };
  const text = typeof content === 'string' ? content : '';
  if (!isObject(text))
    return `${JSON.stringify({ ...added, ...(text !== '' && { [REJECT_COLUMNS.text]: text }) })}\n`;
  const inside = text.slice(1, -1).trim();
  return `{${inside}${inside === '' ? '' : ','}${JSON.stringify(added).slice(1)}\n`;
}

function isObject(text: string): boolean {
  try {
    return isPlainObject(JSON.parse(text));
  } catch {
    return false;
  }
}

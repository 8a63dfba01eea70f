import { createHash } from 'node:crypto';
import {
  isFlag,
  isText,
  listOf,
  matching,
  nullOr,
  objectOf,
  parseJson,
  wrongKey,
  type Shape,
} from '../shape.js';
import {
  DUMP_FORMAT,
  MAX_CONTENT,
  RECORD,
  RECORD_HEAD,
  notWhole,
  type DumpHeader,
  type DumpRecord,
} from './dump-format.js';
import { unzippedFile } from './unzipped-file.js';

/** Kinds of records between the header and the end. */
const BETWEEN: ReadonlySet<string> = new Set([RECORD.rows, RECORD.tableEnd]);

/** It is shown to a person. */
const isWord = matching(/^[\w.+-]{1,100}$/);
const isName = matching(/^[^\0]+$/);
const isSome =
  (shape: Shape): Shape =>
  (value) =>
    shape(value) && (value as unknown[]).length > 0;

const SHAPES: Readonly<Record<keyof DumpHeader, Shape>> = {
  format: isWord,
  fairlead: isWord,
  postgres: isText,
  createdAt: isText,
  migrations: isSome(listOf(isName)),
  tables: isSome(listOf(objectOf({ schema: nullOr(isName), name: isName, columns: listOf(isName) }))),
  sequences: listOf(
    objectOf({ schema: nullOr(isName), name: isName, value: matching(/^-?\d+$/), isCalled: isFlag }),
  ),
};

/**
 * Reads the records of a dump between its header and its end.
 * @throws Error when the file cannot be read, or is not a whole dump; the latter at its end at the latest
 */
export async function* readRecords(path: string): AsyncGenerator<DumpRecord> {
  const hash = createHash('sha256');
  let isEnded = false;
  for await (const record of split(unzippedFile(path), path)) {
    if (isEnded) throw notWhole(path, 'something follows its end');
    isEnded = record.kind === RECORD.end;
    if (isEnded && hash.digest('hex') !== record.content.toString())
      throw notWhole(path, 'its checksum is wrong');
    if (isEnded) continue;
    hash.update(record.head).update(record.content);
    yield record;
  }
  if (!isEnded) throw notWhole(path, 'it has no end');
}

/** Reads the header of a dump. @throws Error when it is none, or one of another format */
export function parseHeader(path: string, record: DumpRecord | undefined): DumpHeader {
  if (record?.kind !== RECORD.header) throw notWhole(path, 'it has no header');
  const header = parseJson(record.content.toString());
  const { format } = (header ?? {}) as { readonly format?: unknown };
  if (isWord(format) && format !== DUMP_FORMAT) {
    throw new Error(`${path} has the format ${String(format)}, and this version reads ${DUMP_FORMAT}`);
  }
  const wrong = wrongKey(header, SHAPES);
  if (wrong !== undefined) throw notWhole(path, `its header has no right ${wrong}`);
  return header as DumpHeader;
}

/** Reads the whole dump. @returns its header @throws Error when it is not whole */
export async function verifyDump(path: string): Promise<DumpHeader> {
  let header: DumpHeader | undefined;
  let complete = 0;
  for await (const record of readRecords(path)) {
    const { kind } = record;
    if (header !== undefined && !BETWEEN.has(kind))
      throw notWhole(path, `it has a record of the kind ${/[!-~]/.test(kind) ? kind : kind.charCodeAt(0)}`);
    header ??= parseHeader(path, record);
    if (kind === RECORD.tableEnd) complete += 1;
  }
  if (header === undefined || complete !== header.tables.length) throw notWhole(path, 'it lacks a table');
  return header;
}

/** Cuts a stream of bytes into records. */
async function* split(
  source: AsyncIterable<Buffer>,
  path: string,
): AsyncGenerator<DumpRecord & { readonly head: Buffer }> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= RECORD_HEAD) {
      const length = rest.readUInt32BE(1);
      if (length > MAX_CONTENT) throw notWhole(path, 'a record is too long');
      if (rest.length < RECORD_HEAD + length) break;
      const head = rest.subarray(0, RECORD_HEAD);
      yield {
        kind: head.toString('latin1', 0, 1),
        head,
        content: rest.subarray(RECORD_HEAD, RECORD_HEAD + length),
      };
      rest = rest.subarray(RECORD_HEAD + length);
    }
  }
  if (rest.length > 0) throw notWhole(path, 'it ends within a record');
}

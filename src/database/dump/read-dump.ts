import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { errorCode } from '../errors.js';
import { DUMP_FORMAT, DumpHeader } from './dump-header.js';

/** Most bytes of the header, so that no file makes this process hold more. */
const MAX_HEADER = 1024 * 1024;

/** Most bytes of the line behind the rows of a table. */
const MAX_MARK = 20;

/** Bytes that are unzipped at once. */
const CHUNK = 256 * 1024;

/** The end of a row, and the beginning of the line that no row is. */
const MARK = '\n\\.';

/** Why a file cannot be read, by code. */
const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of that path is a file, not a folder',
  EACCES: 'this user may not read it',
  ELOOP: 'its symbolic links lead in a circle',
};

/** A dump that is being read. */
export interface OpenDump {
  readonly header: DumpHeader;
  /** Reads the rows of the next table, in parts that may end within a row. @returns the number they had */
  readonly rows: () => AsyncGenerator<Buffer, number>;
}

/**
 * Reads a dump from its beginning to its end.
 * @param work gets its header, and reads the rows of all its tables
 * @returns what `work` returns
 * @throws what `work` throws; Error when the file cannot be read or is not a whole dump, at its end at the
 *   latest
 */
export async function readDump<T>(path: string, work: (dump: OpenDump) => Promise<T>): Promise<T> {
  const text = new DumpText(path, unzipped(path));
  try {
    const header = parseHeader(path, await text.line(MAX_HEADER));
    const result = await work({ header, rows: () => text.rows() });
    if (!(await text.isAtEnd())) throw notWhole(path, 'something follows its last table');
    return result;
  } finally {
    await text.close();
  }
}

/** Reads the whole dump. @returns its header @throws Error when it cannot be read or is not whole */
export async function verifyDump(path: string): Promise<DumpHeader> {
  return readDump(path, async ({ header, rows }) => {
    for (const _ of header.tables) for await (const _part of rows());
    return header;
  });
}

/** The unzipped text of a dump. */
class DumpText {
  /** What was unzipped and not read. Begins with the newline of the line before, or its first rows. */
  private rest: Buffer = Buffer.from('\n');

  constructor(
    private readonly path: string,
    private readonly source: AsyncGenerator<Buffer>,
  ) {}

  /** Reads a line. @returns undefined where it has more bytes than `most`, or no end */
  async line(most: number): Promise<string | undefined> {
    for (;;) {
      const end = this.rest.indexOf('\n', 1);
      if (end > 0 && end <= most) {
        const line = this.rest.toString('utf8', 1, end);
        this.rest = this.rest.subarray(end);
        return line;
      }
      if (end > 0 || this.rest.length > most || !(await this.more())) return undefined;
    }
  }

  /** Reads the rows of a table and the line behind them. @returns the number in that line */
  async *rows(): AsyncGenerator<Buffer, number> {
    // The newline of the line before belongs to no row.
    let from = 1;
    let end: number;
    while ((end = this.rest.indexOf(MARK)) === -1) {
      // The last bytes may be the beginning of the mark.
      const to = Math.max(0, this.rest.length - MARK.length + 1);
      if (to > from) yield this.rest.subarray(from, to);
      from = Math.max(0, from - to);
      this.rest = this.rest.subarray(to);
      if (!(await this.more())) throw notWhole(this.path, 'it lacks a table');
    }
    if (end >= from) yield this.rest.subarray(from, end + 1);
    this.rest = this.rest.subarray(end);
    const [, count] = /^\\\.(\d+)$/.exec((await this.line(MAX_MARK)) ?? '') ?? [];
    if (count === undefined) throw notWhole(this.path, 'it lacks the number of rows of a table');
    return Number(count);
  }

  /** Returns whether nothing is left to read. */
  async isAtEnd(): Promise<boolean> {
    return this.rest.length === 1 && !(await this.more());
  }

  async close(): Promise<void> {
    await this.source.return(undefined);
  }

  private async more(): Promise<boolean> {
    const next = await this.source.next();
    if (next.done === true) return false;
    this.rest = Buffer.concat([this.rest, next.value]);
    return true;
  }
}

/** Returns the header of a dump. @throws Error when the line is none, or one of another format */
function parseHeader(path: string, line: string | undefined): DumpHeader {
  const found = parseJson(line ?? '');
  if (found === undefined) throw notWhole(path, 'it has no header');
  const header = plainToInstance(DumpHeader, { ...(found as object) });
  const wrong = validateSync(header).map(({ property }) => property);
  if (header.format !== DUMP_FORMAT && !wrong.includes('format'))
    throw new Error(`${path} has the format ${header.format}, and this version reads ${DUMP_FORMAT}`);
  if (wrong[0] !== undefined) throw notWhole(path, `its header has no right ${wrong[0]}`);
  return header;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Unzips a file. @throws Error that says why it cannot be read, or that it is no whole file of gzip */
async function* unzipped(path: string): AsyncGenerator<Buffer> {
  try {
    await requireFile(path);
    // The error of either stream reaches the reader of the last.
    const bytes = pipeline(createReadStream(path), createGunzip({ chunkSize: CHUNK }), () => undefined);
    for await (const chunk of bytes) yield chunk as Buffer;
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const { message } = error as Error;
    if (code.startsWith('Z_')) throw notWhole(path, zlibReason(code, message));
    throw new Error(`Cannot read ${path}: ${UNREADABLE[code] ?? message} (${code})`, { cause: error });
  }
}

/** A folder has no contents, and a pipe cannot be read twice. */
async function requireFile(path: string): Promise<void> {
  const found = await stat(path);
  if (found.isFile()) return;
  const kind = found.isDirectory() ? 'a folder' : 'a pipe or a device';
  throw new Error(`Cannot read ${path}: it is ${kind}, and a dump is a file made by \`fairlead dump\``);
}

/** Says in other words what zlib says. */
function zlibReason(code: string, message: string): string {
  if (code === 'Z_BUF_ERROR') return 'it ends too early';
  const isOther = /header|compression method/.test(message);
  return isOther ? 'it is no file of gzip' : 'its compressed contents are damaged';
}

function notWhole(path: string, reason: string): Error {
  return new Error(`${path} is not a whole dump made by \`fairlead dump\`: ${reason}`);
}

import { invalid } from '../../errors/errors.js';

/** A file in UTF-8 without a byte order mark. */
export interface Utf8File {
  readonly chunks: AsyncIterable<Buffer>;
  /** What it is in where it is stored. */
  readonly encoding: string;
  /** Whether it has a byte order mark there. */
  readonly isMarked: boolean;
}

export const UTF8 = 'utf-8';

/** By what a file begins with: byte order marks, and files that are no text. */
const MARKS = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { problem: 'The file is in UTF-32: save it as UTF-8', bytes: [0xff, 0xfe, 0, 0] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
  {
    problem: 'The file is a spreadsheet (.xlsx), or another ZIP archive: save it as CSV UTF-8',
    bytes: [0x50, 0x4b, 3, 4],
  },
  { problem: 'The file is a spreadsheet (.xls): save it as CSV UTF-8', bytes: [0xd0, 0xcf, 0x11, 0xe0] },
  { problem: 'The file is compressed (gzip): unpack it', bytes: [0x1f, 0x8b] },
] as const;

const MOST_MARK_BYTES = 4;

/**
 * Reads a file in any encoding as UTF-8. What is wrong in it becomes U+FFFD, but stays in a file in UTF-8.
 * @param encoding a label of the Encoding Standard; a byte order mark says more
 * @throws DomainError 400 for a file that is no text, or in another encoding, as far as its beginning says so
 */
export async function inUtf8(source: AsyncIterable<Buffer>, encoding = UTF8): Promise<Utf8File> {
  const { bytes, rest } = await beginningOf(source, MOST_MARK_BYTES);
  const mark = MARKS.find((each) => bytes.subarray(0, each.bytes.length).equals(Buffer.from(each.bytes)));
  if (mark !== undefined && 'problem' in mark) throw invalid([{ message: mark.problem }]);
  const isMarked = mark !== undefined;
  const { encoding: name } = new TextDecoder(mark?.encoding ?? encoding);
  if (name !== UTF8) return { chunks: decoded(behind(bytes, rest), name), encoding: name, isMarked };
  const wide = wideOf(bytes);
  if (wide !== undefined) throw invalid([{ message: `The file seems to be UTF-16: try --encoding ${wide}` }]);
  return { chunks: behind(bytes.subarray(mark?.bytes.length ?? 0), rest), encoding: UTF8, isMarked };
}

/** UTF-16 without a mark: two ASCII characters have a NUL in every other byte. */
function wideOf([a, b, c, d]: Buffer): string | undefined {
  if (a !== 0 && b === 0 && c !== 0 && d === 0) return 'utf-16le';
  return a === 0 && b !== 0 && c === 0 && d !== 0 ? 'utf-16be' : undefined;
}

async function* decoded(source: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  // Node.js decodes windows-1252 as ISO 8859-1 where it is no stream.
  const decoder = new TextDecoder(encoding);
  for await (const chunk of source) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

/** The bytes that a file begins with, and those behind them. */
export interface Beginning {
  readonly bytes: Buffer;
  readonly rest: AsyncIterable<Buffer>;
}

/** Reads at least so many bytes of a file, or all of it. */
export async function beginningOf(source: AsyncIterable<Buffer>, least: number): Promise<Beginning> {
  const iterator = source[Symbol.asyncIterator]();
  let bytes = Buffer.of();
  while (bytes.length < least) {
    const next = await iterator.next();
    if (next.done === true) break;
    bytes = Buffer.concat([bytes, next.value]);
  }
  // A loop that ends early ends the source, too.
  const rest = { [Symbol.asyncIterator]: () => iterator };
  return { bytes, rest };
}

async function* behind(bytes: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield bytes;
  yield* rest;
}

import { open, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { errorCode } from '../database/errors.js';
import { decodeText } from '../text/decode-text.js';
import type { CommandContext } from './command-context.js';

/** Returns the error of a file that cannot be read or written: its path, and the system's code for why. */
export function fileFailure(what: 'read' | 'write', path: string, cause: unknown): Error {
  return new Error(`Cannot ${what} ${path}: ${errorCode(cause) ?? 'unknown error'}`, { cause });
}

/**
 * Returns the text of a file, or of standard input where the path is `-`.
 * @throws Error that names the file when it cannot be read
 */
export async function readInput({ stdin, located }: CommandContext, path: string): Promise<string> {
  try {
    // /dev/stdin is not used, because it cannot be opened when standard input is a socket.
    return decodeText(await (path === '-' ? buffer(stdin()) : readFile(located(path))));
  } catch (error) {
    if (errorCode(error) !== undefined) throw fileFailure('read', path, error);
    throw new Error(`Cannot read ${path}: ${(error as Error).message}`, { cause: error });
  }
}

/** The formats of files of records. */
export type FileFormat = 'csv' | 'ndjson';

/** A file that is read from its beginning. */
export interface ImportSource {
  readonly stream: Readable;
  /** Its bytes; undefined for standard input. */
  readonly size: number | undefined;
}

/** Returns the format that the name of a file says. @throws Error where it says none */
export function formatOf(path: string): FileFormat {
  const extension = extname(path).toLowerCase();
  if (['.csv', '.tsv', '.tab', '.txt'].includes(extension)) return 'csv';
  if (['.ndjson', '.jsonl'].includes(extension)) return 'ndjson';
  if (/^\.(xlsx?|ods|numbers)$/.test(extension))
    throw new Error(`${path} is a spreadsheet: save it as CSV UTF-8`);
  throw new Error(`What ${path} contains is not clear: say --format csv or ndjson`);
}

/**
 * Opens a file.
 * @param path `-` for standard input
 * @param signal ends the stream with an error
 * @throws Error that names the file when it cannot be read
 */
export async function openSource(
  { stdin, located }: CommandContext,
  path: string,
  signal: AbortSignal,
): Promise<ImportSource> {
  if (path === '-') return { stream: addAbortSignal(signal, stdin()), size: undefined };
  try {
    const file = await open(located(path));
    const { size } = await file.stat();
    return { stream: addAbortSignal(signal, file.createReadStream()), size };
  } catch (error) {
    throw fileFailure('read', path, error);
  }
}

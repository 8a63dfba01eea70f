import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { errorCode } from '../errors.js';
import { MAX_CONTENT, notWhole } from './dump-format.js';

/** Why a file cannot be read, by code. */
const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of that path is a file, not a folder',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ELOOP: 'its symbolic links lead in a circle',
  EIO: 'its disk cannot be read',
};

/**
 * Reads a file of gzip.
 * @throws Error that says why it cannot be read, or that it is no whole file of gzip
 */
export async function* unzippedFile(path: string): AsyncGenerator<Buffer> {
  try {
    await requireFile(path);
    // The error of either stream reaches the reader of the last.
    const bytes = pipeline(createReadStream(path), createGunzip({ chunkSize: MAX_CONTENT }), () => undefined);
    for await (const chunk of bytes) yield chunk as Buffer;
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    if (code.startsWith('Z_')) throw notWhole(path, reasonOf(error as Error));
    const reason = UNREADABLE[code] ?? (error as Error).message;
    throw new Error(`Cannot read ${path}: ${reason} (${code})`, { cause: error });
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
function reasonOf(error: Error): string {
  if (errorCode(error) === 'Z_BUF_ERROR') return 'it ends too early';
  const isOther = /header|compression method/.test(error.message);
  return isOther ? 'it is no file of gzip' : 'its compressed contents are damaged';
}

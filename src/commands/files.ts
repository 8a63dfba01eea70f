import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { errorCode } from '../database/errors.js';
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
  // /dev/stdin is not used, because it cannot be opened when standard input is a socket.
  if (path === '-') return text(stdin());
  try {
    return await readFile(located(path), 'utf8');
  } catch (error) {
    throw fileFailure('read', path, error);
  }
}

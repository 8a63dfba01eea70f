import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { CommandContext } from './command-context.js';
import { fileFailure } from './file-failure.js';

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

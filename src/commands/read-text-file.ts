import { readFile } from 'node:fs/promises';

/** Returns the text of a file. @throws Error that names the file when it cannot be read */
export async function readTextFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Error(`Cannot read ${path}: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`, {
      cause: error,
    });
  }
}

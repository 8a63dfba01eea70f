import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../errors.js';

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    // For a directory that exists, some systems report another error first (read-only disk, missing
    // permission).
    const existing = await stat(path).catch(() => undefined);
    if (existing?.isDirectory()) return;
    throw existing ? Object.assign(new Error(`not a directory: ${path}`), { code: 'ENOTDIR' }) : error;
  }
}

/**
 * Makes a directory (absolute path) and its missing parents. A directory that exists already is accepted.
 * Node's own recursive mkdir never ends where the system answers ENOENT below a directory that exists, as in
 * /proc.
 *
 * @throws the system's error when one of them cannot be made
 */
export async function makeDirectory(path: string): Promise<void> {
  try {
    await makeOne(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || path === dirname(path)) throw error;
    await makeDirectory(dirname(path));
    await makeOne(path);
  }
}

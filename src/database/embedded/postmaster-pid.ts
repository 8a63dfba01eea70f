import { readFile } from 'node:fs/promises';
import { errorCode } from './error-code.js';

/** What PostgreSQL writes about itself in `postmaster.pid`. */
interface PostmasterPid {
  readonly pid: number;
  readonly port: number;
  /** Its state: `starting`, `ready`, `stopping` or `standby`; empty in the first moments. */
  readonly status: string;
}

/** Reads the text of a `postmaster.pid`; undefined when it is not, or not yet, complete enough to be used. */
export function parsePostmasterPid(text: string): PostmasterPid | undefined {
  const lines = text.split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!Number.isSafeInteger(pid) || pid <= 0 || !Number.isSafeInteger(port) || port <= 0) return undefined;
  return { pid, port, status: lines[7]?.trim() ?? '' };
}

/**
 * Reads the file `path`.
 *
 * @returns the file's text and what it says; undefined when there is no such file
 * @throws a system error when it exists and cannot be read
 */
export async function readPostmasterPid(
  path: string,
): Promise<{ readonly text: string; readonly content: PostmasterPid | undefined } | undefined> {
  try {
    const text = await readFile(path, 'utf8');
    return { text, content: parsePostmasterPid(text) };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

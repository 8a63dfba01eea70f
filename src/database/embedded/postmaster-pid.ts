import { readFile } from 'node:fs/promises';
import { ifPresent } from '../if-present.js';

/** The contents of `postmaster.pid`, which PostgreSQL writes. */
export interface PostmasterPid {
  readonly pid: number;
  readonly port: number;
  /** Directory of the Unix socket. Empty where there is none, or none yet. */
  readonly socketDirectory: string;
  /** TCP address. Empty where there is none, or none yet. */
  readonly listenAddress: string;
  /** State of the server: `starting`, `ready`, `stopping` or `standby`. Empty at the very start. */
  readonly status: string;
}

/** Reads the text of a `postmaster.pid`. Returns undefined when the text is not, or not yet, complete. */
export function parsePostmasterPid(text: string): PostmasterPid | undefined {
  const lines = text.split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!Number.isSafeInteger(pid) || pid <= 0 || !Number.isSafeInteger(port) || port <= 0) return undefined;
  return {
    pid,
    port,
    socketDirectory: lines[4] ?? '',
    listenAddress: lines[5]?.trim() ?? '',
    status: lines[7]?.trim() ?? '',
  };
}

/**
 * Reads the file `path`.
 *
 * @returns the file's text and its parsed contents; undefined when there is no such file
 * @throws a system error when it exists and cannot be read
 */
export async function readPostmasterPid(
  path: string,
): Promise<{ readonly text: string; readonly content: PostmasterPid | undefined } | undefined> {
  const text = await ifPresent(readFile(path, 'utf8'));
  return text === undefined ? undefined : { text, content: parsePostmasterPid(text) };
}

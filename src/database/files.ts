import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { errorCode } from './errors.js';

/** Codes of a file system that has no hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Returns undefined where a file or a directory is missing. @throws what `work` throws otherwise */
export async function ifPresent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Returns the error of a file or of the system with `what` before its message, for example that there is no
 * space. Returns any other error as it is.
 */
export function fileError(what: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error;
  return new Error(`${what}: ${error.message}`, { cause: error });
}

/** Where something new must not be. */
export interface FreeTargetOptions {
  /** Begins the message of an error, for example "The dump x cannot be written". */
  readonly failure: string;
  /** The data directory of the embedded database, without symbolic links; undefined for another database. */
  readonly dataDir: string | undefined;
}

/**
 * Returns the absolute path of a file or folder that is about to be made.
 * @throws Error when it exists, there is no folder for it, or it would be inside of the data directory
 */
export async function freeTarget(path: string, { failure, dataDir }: FreeTargetOptions): Promise<string> {
  const parent = await realpath(dirname(resolve(path))).catch(() => undefined);
  if (parent === undefined || !(await stat(parent)).isDirectory()) {
    throw new Error(`${failure}: there is no folder for it`);
  }
  const target = join(parent, basename(resolve(path)));
  if (await ifPresent(lstat(target))) throw new Error(`${failure}: it exists already`);
  if (dataDir !== undefined && !/^\.\.([/\\]|$)/.test(relative(dataDir, target))) {
    throw new Error(`${failure} inside of the data directory (DATA_DIR), ${dataDir}`);
  }
  return target;
}

/**
 * Makes a directory (absolute path) and its missing parents, unless it exists. Node's own recursive mkdir
 * never ends where the system answers ENOENT below a directory that exists, as in /proc.
 * @throws the system's error when one of them cannot be made
 */
export function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  // A root that there is not, such as a drive, has no parent.
  if (dirname(path) !== path) makeDirectory(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have made it.
    if (!existsSync(path)) throw error;
  }
}

/** Whether users other than its owner may write a file or a directory. */
export const isWritableByOthers = ({ mode }: Pick<Stats, 'mode'>): boolean => (mode & 0o022) !== 0;

/**
 * Whether others may replace what is in a directory. In one with the sticky bit, such as /tmp, they may not.
 */
export const isReplaceableIn = (directory: Pick<Stats, 'mode'>): boolean =>
  isWritableByOthers(directory) && (directory.mode & 0o1000) === 0;

/** Flushes the names in a directory to the disk. Does nothing on Windows, which has no such call. */
export function syncDirectory(path: string): void {
  if (process.platform === 'win32') return;
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/**
 * Gives a complete file its final name, in the same folder, which no other file may have. Of several that are
 * published under one name, one is.
 * @param from absolute path of the file
 * @param to absolute path of its final name
 * @param hardLink for tests
 * @throws a system error, with the code EEXIST when the name is taken; the file keeps its name then
 */
export function publishFile(from: string, to: string, hardLink = linkSync): void {
  try {
    hardLink(from, to);
  } catch (error) {
    if (!NO_LINKS.has(errorCode(error) ?? '')) throw error;
    // An empty file claims the name, and is replaced. `rename` alone would replace any file.
    closeSync(openSync(to, 'wx', 0o600));
    try {
      renameSync(from, to);
    } catch (failure) {
      rmSync(to);
      throw failure;
    }
  }
  rmSync(from, { force: true });
  syncDirectory(dirname(to));
}

/**
 * Returns the secret that the file `path` keeps, without white space around it. Where there is no such file,
 * writes one with 32 random bytes (43 URL-safe characters), for its owner only. Of several processes, one
 * writes it, and all return the same.
 * @throws a system error when it can be neither read nor written
 */
export function keptSecret(path: string): string {
  if (!existsSync(path)) {
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
    try {
      publishFile(draft, path);
    } catch (error) {
      rmSync(draft, { force: true });
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
  return readFileSync(path, 'utf8').trim();
}

import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { ifPresent } from './if-present.js';

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

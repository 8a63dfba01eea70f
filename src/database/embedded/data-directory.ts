import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type DataLayout, dataLayout } from './data-layout.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { errorCode } from '../errors.js';
import { makeDirectory } from './make-directory.js';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not create, enter or write it',
  EPERM: 'this user may not create, enter or write it',
  EROFS: 'it is on a read-only file system',
  ENOTDIR: 'a part of that path is a file, not a directory',
  EEXIST: 'a part of that path is a file, or a symbolic link that leads nowhere',
  ENOSPC: 'its disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOENT: 'a part of that path does not exist and cannot be created',
  ELOOP: 'its symbolic links lead in a circle',
};

/**
 * Returns an error that says why `path` (the data directory or something in it) cannot be used, and what to
 * do. Never throws.
 */
export function dataDirectoryError(path: string, cause: unknown): EmbeddedPostgresError {
  const code = errorCode(cause);
  const detail = cause instanceof Error ? cause.message : String(cause);
  const reason = (code === undefined ? undefined : REASONS[code]) ?? detail;
  return new EmbeddedPostgresError(
    `The data directory (DATA_DIR) cannot be used: ${path}: ${reason}${code === undefined ? '' : ` (${code})`}. ` +
      'Set DATA_DIR to a directory this user can write to, ' +
      'or DATABASE_URL to a PostgreSQL server of your own.',
    { cause },
  );
}

/**
 * Creates `dataDir` and its missing parents, and checks that this process can write in it. A relative path
 * starts at the working directory.
 *
 * @throws {EmbeddedPostgresError} naming DATA_DIR when it cannot be created, entered or written
 */
export async function prepareDataDirectory(dataDir: string): Promise<DataLayout> {
  const path = resolve(dataDir);
  try {
    await makeDirectory(path);
    const root = await realpath(path);
    await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
    return dataLayout(root);
  } catch (error) {
    throw dataDirectoryError(path, error);
  }
}

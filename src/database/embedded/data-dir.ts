import { constants, readFileSync } from 'node:fs';
import { access, readdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { errorCode, reasonOf } from '../errors.js';
import { keptSecret, makeDirectory } from '../files.js';

/**
 * The embedded database cannot be used. The message is for the person who started the service. It says what
 * is wrong, with the path or the last lines of the server's log, and what to set or do.
 */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  /** True when no later attempt of this process can succeed. */
  readonly final: boolean;

  constructor(
    message: string,
    { final = false, ...options }: ErrorOptions & { readonly final?: boolean } = {},
  ) {
    super(message, options);
    this.final = final;
  }
}

/** Returns the paths in the data directory `root`, which is absolute and without symbolic links. */
export function dataLayout(root: string) {
  const cluster = join(root, 'postgres');
  return {
    root,
    /** The PostgreSQL cluster (`PGDATA`). */
    cluster,
    /** PostgreSQL writes it while it runs: process id, address, state. */
    pidFile: join(cluster, 'postmaster.pid'),
    /** Password of the service's role, mode 0600, one line. */
    passwordFile: join(root, 'postgres-password'),
    /** The output of the server. */
    logFile: join(root, 'postgres.log'),
    /** Locked while the cluster is initialised or the server is started. */
    lockFile: join(root, 'postgres.lock'),
  } as const;
}

/** Absolute paths of all files of the embedded database in its data directory. */
export type DataLayout = Readonly<ReturnType<typeof dataLayout>>;

/**
 * Returns an error that says why `path` (the data directory or something in it) cannot be used, and what to
 * do. Never throws.
 */
export function dataDirectoryError(path: string, cause: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The data directory (DATA_DIR) cannot be used: ${path}: ${reasonOf(cause)}. ` +
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
    makeDirectory(path);
    const root = await realpath(path);
    await readdir(root);
    await access(root, constants.W_OK | constants.X_OK);
    return dataLayout(root);
  } catch (error) {
    throw dataDirectoryError(path, error);
  }
}

/**
 * Returns the password of the service's role, a URL-safe string, from the data directory.
 *
 * @param initialised whether a cluster exists; if not, a missing password is generated and stored
 * @throws {EmbeddedPostgresError} when the file cannot be read or made, or is missing while the cluster
 *   exists
 */
export function loadPassword({ passwordFile, cluster }: DataLayout, initialised: boolean): string {
  let password = '';
  try {
    password = initialised ? readFileSync(passwordFile, 'utf8').trim() : keptSecret(passwordFile);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw dataDirectoryError(passwordFile, error);
  }
  if (password !== '') return password;
  throw new EmbeddedPostgresError(
    `The database in ${cluster} needs its password, and ${passwordFile} is missing or empty. Restore that file ` +
      `(a copy of the data directory has it), or move ${cluster} away to start with an empty database.`,
  );
}

import { constants, readFileSync } from 'node:fs';
import { access, readdir, realpath, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { errorCode, reasonOf } from '../errors.js';
import { keptSecret, makeDirectory, ifPresent } from '../files.js';

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

/** The directory of an existing cluster. */
export interface ClusterInfo {
  readonly uid: number;
  readonly gid: number;
  /** Major version of the PostgreSQL that made the cluster (`18`). */
  readonly major: string;
}

/**
 * Inspects the cluster of a data directory. Returns undefined when there is none yet.
 *
 * @throws {EmbeddedPostgresError} when something else has its name, or this user may not use it
 */
export async function inspectCluster({ cluster }: DataLayout): Promise<ClusterInfo | undefined> {
  try {
    const { uid, gid } = await stat(cluster);
    const user = process.geteuid?.() ?? 0;
    if (user !== 0 && uid !== user) {
      throw new EmbeddedPostgresError(
        `The database in ${cluster} belongs to another user (uid ${uid}; this process is uid ${user}). ` +
          'Start Fairlead as that user, or set DATA_DIR to another directory.',
      );
    }
    const names = await readdir(cluster);
    if (names.length === 0) return undefined;
    if (names.includes('PG_VERSION')) {
      return { uid, gid, major: (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim() };
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error instanceof EmbeddedPostgresError ? error : dataDirectoryError(cluster, error);
  }
  throw new EmbeddedPostgresError(
    `${cluster} holds files but is not a PostgreSQL database (it has no PG_VERSION). ` +
      'Move it away, or set DATA_DIR to another directory.',
  );
}

/**
 * Finds the database of a data directory, for commands that must not create one.
 * @returns the data directory without symbolic links
 * @throws {EmbeddedPostgresError} naming DATA_DIR when there is none
 */
export async function requireCluster(dataDir: string): Promise<string> {
  const root = await realpath(dataDir).catch(() => undefined);
  if (root !== undefined && (await inspectCluster(dataLayout(root)))) return root;
  throw new EmbeddedPostgresError(`There is no database in the data directory ${dataDir} (DATA_DIR)`);
}

/**
 * Checks the major version of a cluster.
 * @throws {EmbeddedPostgresError} a final one, when the cluster was made by another major version than that
 *   of the programs
 */
export function requireMajor(cluster: string, found: string, wanted: string): void {
  if (found === wanted) return;
  throw new EmbeddedPostgresError(
    `The database in ${cluster} was made by PostgreSQL ${found}, and this version of Fairlead brings ` +
      `PostgreSQL ${wanted}. Run \`fairlead dump <file>\` with the version of Fairlead that used it, set ` +
      'DATA_DIR to a new directory, and run `fairlead load <file>` with this version (docs/backup.md).',
    { final: true },
  );
}

/** Returns what tells a directory from another one in its place. @throws a system error when there is none */
export async function identifyCluster(cluster: string): Promise<string> {
  const { dev, ino } = await stat(cluster);
  return `${dev}:${ino}`;
}

/**
 * Checks that a cluster is still the one that this process has opened.
 *
 * @param opened what `identifyCluster` returned then
 * @throws {EmbeddedPostgresError} a final one, when it was removed or replaced
 * @throws a system error when it cannot be read
 */
export async function requireUnchanged(cluster: string, opened: string): Promise<void> {
  const now = await ifPresent(identifyCluster(cluster));
  if (now === opened) return;
  throw new EmbeddedPostgresError(
    `The database in ${cluster} was ${now === undefined ? 'removed' : 'replaced'} while Fairlead was using it. ` +
      'Put it back, and start Fairlead again.',
    { final: true },
  );
}

/** The contents of `postmaster.pid`, which PostgreSQL writes. */
export interface PostmasterPid {
  readonly pid: number;
  /** Absolute path of the directory with its socket. Undefined while it does not listen. */
  readonly directory: string | undefined;
  /** State of the server: `starting`, `ready`, `stopping` or `standby`. Empty at the very start. */
  readonly status: string;
}

/**
 * Reads the text of the `postmaster.pid` of a cluster. Returns undefined when the text is not, or not yet,
 * complete.
 */
export function parsePostmasterPid(text: string, cluster: string): PostmasterPid | undefined {
  const [id, , , port, directory = '', , , status = ''] = text.split('\n');
  const pid = Number(id);
  if (!Number.isSafeInteger(pid) || pid <= 0 || !(Number(port) > 0)) return undefined;
  // The server may have written the directory relative to its own.
  return {
    pid,
    directory: directory === '' ? undefined : resolve(cluster, directory),
    status: status.trim(),
  };
}

/**
 * State of the process whose id is in a `postmaster.pid`:
 * - `gone`: no process has the id.
 * - `zombie`: the process ended, and its parent has not read its exit code. PostgreSQL would treat it as
 *   alive.
 * - `other`: it is another program. PostgreSQL may treat it as its own server.
 * - `ours`: it is the server of this cluster, as far as the system tells. Only Linux tells more than that it
 *   is alive.
 */
export type ProcessState = 'gone' | 'zombie' | 'other' | 'ours';

/** Reads the state letter and the program name from the text of Linux's `/proc/<pid>/stat`. */
export function parseProcStat(text: string): { readonly state: string; readonly name: string } {
  const [open, close] = [text.indexOf('('), text.lastIndexOf(')')];
  return { state: text.slice(close + 2, close + 3), name: text.slice(open + 1, close) };
}

/** Returns the state of the process `pid`, for the cluster in the directory `cluster`. */
export async function processState(pid: number, cluster: string): Promise<ProcessState> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return 'gone';
    // The server runs as the owner of the cluster, who may send it signals. Root in a container may lack this
    // right.
    if (process.geteuid?.() !== 0) return 'other';
  }
  if (process.platform !== 'linux') return 'ours';
  try {
    const { state, name } = parseProcStat(await readFile(`/proc/${pid}/stat`, 'utf8'));
    if (state === 'Z' || state === 'X') return 'zombie';
    if (name !== 'postgres') return 'other';
    const [here, there] = await Promise.all([stat(cluster), stat(`/proc/${pid}/cwd`)]);
    return here.dev === there.dev && here.ino === there.ino ? 'ours' : 'other';
  } catch (error) {
    // Root in a container may not read the working directory of processes of other users.
    return errorCode(error) === 'ENOENT' ? 'gone' : 'ours';
  }
}

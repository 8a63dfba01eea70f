import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { lchown, lstat, mkdir, open, readFile, realpath, rm, stat, type FileHandle } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { errorCode } from '../errors.js';
import { isReplaceableIn } from '../files.js';
import { PROGRAM_ENV, identity, lastLines, ownDirectory } from './account.js';
import { type DataLayout, EmbeddedPostgresError, dataDirectoryError } from './data-dir.js';
import { type ClusterTools, SERVICE_ROLE } from './init.js';
import type { Client } from 'pg';
import { ScramClient } from '../driver/driver.js';

/** Key of the advisory lock that every process which uses the server shares. */
const HOLD_KEY = '7305087142019583';

/** Name of the sessions that hold a server. */
const HOLD_NAME = 'fairlead-hold';

const WRONG_PASSWORD = new Set(['28P01', '28000']);

/** A server and the cluster that it must serve. */
export interface ServerTarget {
  /** Absolute path of the directory with the server's socket. */
  readonly directory: string;
  readonly password: string;
  /** Directory of the cluster. */
  readonly cluster: string;
}

/** Methods that say whether a connection keeps this process alive. @types/pg does not declare them. */
type Referable = Client & { ref(): void; unref(): void };

function refusal({ cluster }: ServerTarget, cause: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The running server of ${cluster} does not accept the password in the file "postgres-password" ` +
      'beside it. Restore that file; or, if the password was changed in the database, write the new one there.',
    { cause, final: true },
  );
}

/**
 * Marks the server as used by this process: a shared advisory lock on a separate connection. PostgreSQL
 * releases the lock also when the process is killed.
 */
export class ServerHold {
  /** Resolves when the connection, and the lock with it, is lost before it is released. */
  readonly lost: Promise<void>;
  private released = false;

  private constructor(private readonly client: Referable) {
    this.lost = new Promise((resolve) => {
      client.once('end', () => {
        if (!this.released) resolve();
      });
    });
    // The connection must not keep alive a program that does not close it.
    client.unref();
  }

  /**
   * Connects, and takes the shared lock. Waits while the last
   * process that used the server is about to stop it, and fails when the server stops.
   *
   * @throws {EmbeddedPostgresError} when the server refuses the password (a final error), or its socket is in
   *   a directory that others can use
   * @throws another error, of the socket or of the server, when there is no answer yet, or the lock is not
   *   free within 5 seconds
   */
  static async take(target: ServerTarget): Promise<ServerHold> {
    const { directory, password, cluster } = target;
    await requirePrivate(directory, cluster);
    const client = new ScramClient({
      host: directory,
      port: SOCKET_PORT,
      user: SERVICE_ROLE,
      password,
      database: SERVICE_ROLE,
      ssl: false,
      application_name: HOLD_NAME,
      connectionTimeoutMillis: 5_000,
      query_timeout: 10_000,
      // No statement of this file takes longer, and a stopped process can keep a lock for any time.
      options: '-c lock_timeout=5s',
    }) as Referable;
    // Without a listener, a broken connection would end the process.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(`SELECT pg_advisory_lock_shared(${HOLD_KEY})`);
      return new ServerHold(client);
    } catch (error) {
      client.end().catch(() => undefined);
      throw WRONG_PASSWORD.has(errorCode(error) ?? '') ? refusal(target, error) : error;
    }
  }

  /**
   * Releases the shared lock. Returns true when no other process holds it. Then no process can take it until
   * `disconnect`, and the caller must stop the server. Returns false when other processes use the server, or
   * the connection is lost.
   */
  async release(): Promise<boolean> {
    this.released = true;
    this.client.ref();
    try {
      await this.client.query('SELECT pg_advisory_unlock_all()');
      const { rows } = await this.client.query<{ last: boolean }>(
        `SELECT pg_try_advisory_lock(${HOLD_KEY}) AS last`,
      );
      return rows[0]?.last === true;
    } catch {
      return false;
    }
  }

  /** Closes the connection. Does nothing when it is broken already. */
  async disconnect(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }
}

/** The number at the end of the socket's name. It is the same at every start, and so is the address. */
export const SOCKET_PORT = 5432;

const SOCKET_NAME = `.s.PGSQL.${SOCKET_PORT}`;
/** A name of the same length, for a socket that is made to see whether one can be made. */
const TRIAL_NAME = '.s.PGSQL.test';

/** Bytes that macOS allows in the path of a socket. Linux allows four more. */
const MAX_PATH_BYTES = 103;

/** A log with more bytes than this is emptied at a start. */
const MAX_LOG_BYTES = 10 * 1024 * 1024;

/** Options for the start of a server. */
export interface StartOptions extends ClusterTools {
  /** The directory where its socket was before, and must be again. */
  readonly directory: string | undefined;
}

/** A start of the server that is under way. It may succeed or fail. */
export interface StartedServer {
  /** Returns how it ended (`exit code 1`, a signal, why it could not be run); undefined while it runs. */
  failure(): string | undefined;
  /** Returns the last lines that it has written since this start. */
  output(): Promise<string>;
}

/**
 * Settings of a server that one machine uses. They are given at every start, so existing clusters get them
 * too.
 */
const SETTINGS = {
  listen_addresses: '',
  port: SOCKET_PORT,
  max_connections: '200',
  unix_socket_permissions: '0700',
  // No superuser ever logs in.
  superuser_reserved_connections: '0',
  password_encryption: 'scram-sha-256',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // Fewer processes use less memory. The server does not replicate.
  io_method: 'sync',
  max_logical_replication_workers: '0',
  // The log is trimmed only at a start, and the text of failed statements contains customers' data.
  logging_collector: 'off',
  log_destination: 'stderr',
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

/**
 * Returns the address of the database for pg: `postgres://<role>:<password>@<host>:<port>/<role>`. The
 * directory of the socket stands percent-encoded in place of the host, as libpq defines it.
 */
export function databaseUrl(directory: string, password: string): string {
  const [secret, host] = [encodeURIComponent(password), encodeURIComponent(directory)];
  return `postgres://${SERVICE_ROLE}:${secret}@${host}:${SOCKET_PORT}/${SERVICE_ROLE}`;
}

function fits(directory: string): boolean {
  return Buffer.byteLength(join(directory, SOCKET_NAME)) <= MAX_PATH_BYTES;
}

/** Returns whether the file system makes sockets in `directory`. Shares of some virtual machines do not. */
async function makesSockets(directory: string): Promise<boolean> {
  const path = join(directory, TRIAL_NAME);
  await rm(path, { force: true }).catch(() => undefined);
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false));
    // The socket is removed when the server closes.
    server.listen(path, () => server.close(() => resolve(true)));
  });
}

/**
 * Checks that nobody but the owner of `cluster` can have made the socket in `directory`, which may be in a
 * folder that all users share.
 *
 * @throws {EmbeddedPostgresError} when it is not a real directory of that user with the mode 0700, or others
 *   could replace it
 */
export async function requirePrivate(directory: string, cluster: string): Promise<void> {
  if (directory === cluster) return;
  const [found, parent, own] = [await lstat(directory), await stat(dirname(directory)), await stat(cluster)];
  const isPrivate = found.isDirectory() && found.uid === own.uid && (found.mode & 0o077) === 0;
  if (isPrivate && !isReplaceableIn(parent)) return;
  throw new EmbeddedPostgresError(
    `The directory ${directory}, for the socket of the embedded PostgreSQL, can be used by other users. ` +
      'Remove it, set DATA_DIR to a shorter path, or set TMPDIR to a directory that only this user can write.',
  );
}

async function temporaryDirectory(cluster: string): Promise<string> {
  const name = createHash('sha256').update(cluster).digest('hex').slice(0, 16);
  const directory = join(await realpath(tmpdir()), `fairlead-${name}`);
  if (fits(directory)) return directory;
  throw new EmbeddedPostgresError(
    `The paths of ${cluster} and of ${directory} are too long for a socket of PostgreSQL. ` +
      'Set DATA_DIR or TMPDIR to a shorter path.',
  );
}

/**
 * Prepares the directory for the socket of the server of `cluster`, which only the cluster's owner may enter:
 * the cluster itself, or a directory in the temporary one where the path of the cluster is too long for a
 * socket or its file system has none. PostgreSQL notes it in the pid file, where other processes find it. No
 * server may be running.
 *
 * @param before where the socket was before, and must be again
 * @throws {EmbeddedPostgresError} when there is no such directory
 */
export async function socketDirectory(cluster: string, before?: string): Promise<string> {
  let directory = before;
  directory ??= fits(cluster) && (await makesSockets(cluster)) ? cluster : await temporaryDirectory(cluster);
  if (directory !== cluster) {
    try {
      await mkdir(directory, { mode: 0o700 });
      const { uid, gid } = await stat(cluster);
      if (process.geteuid?.() === 0) await lchown(directory, uid, gid);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    await requirePrivate(directory, cluster);
  }
  // A killed server leaves its lock. PostgreSQL would take any process that has its id by now for the owner.
  await rm(join(directory, `${SOCKET_NAME}.lock`), { force: true });
  return directory;
}

/** Returns the setting for a socket in `directory`. The server may not enter its cluster by the full path. */
export function socketSetting(directory: string, cluster: string): string {
  return directory === cluster ? '.' : `"${directory.replaceAll('"', '""')}"`;
}

/** Opens the log for appending. The caller closes it. */
async function openLog(path: string): Promise<FileHandle> {
  try {
    const log = await open(path, 'a', 0o600);
    if ((await log.stat()).size > MAX_LOG_BYTES) await log.truncate();
    return log;
  } catch (error) {
    throw dataDirectoryError(path, error);
  }
}

/**
 * Starts the server of a cluster in a separate process group: Ctrl-C in a terminal must reach only this
 * process, which stops the server after its last requests. The server outlives this process.
 *
 * @throws {EmbeddedPostgresError} when the log cannot be written, there is no place for its socket, or the
 *   system refuses to start the program
 */
export async function startServer(
  { cluster, logFile }: DataLayout,
  { binaries, account, directory }: StartOptions,
): Promise<StartedServer> {
  const settings = Object.entries({
    ...SETTINGS,
    unix_socket_directories: socketSetting(await socketDirectory(cluster, directory), cluster),
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = await openLog(logFile);
  try {
    const { size: from } = await log.stat();
    const child = spawn(binaries.postgres, ['-D', ownDirectory(cluster, account), ...settings], {
      cwd: cluster,
      ...identity(account),
      env: PROGRAM_ENV,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    let failure: string | undefined;
    child.once('error', (error) => (failure = error.message));
    child.once('exit', (code, signal) => (failure = signal ?? `exit code ${code ?? 'unknown'}`));
    child.unref();
    // The handle of the log can be closed once the program has started or failed to start.
    if (child.pid === undefined) await once(child, 'error').catch(() => undefined);
    const written = () => readFile(logFile).catch(() => Buffer.alloc(0));
    return {
      failure: () => failure,
      output: async () => lastLines((await written()).subarray(from).toString()),
    };
  } catch (error) {
    throw new EmbeddedPostgresError(`The embedded PostgreSQL could not be started: ${String(error)}`, {
      cause: error,
    });
  } finally {
    await log.close();
  }
}

const PASSING_TROUBLE = [
  /lock file "postmaster\.pid" already exists/,
  /received fast shutdown request/,
  /shared memory block .* still in use/,
];

/**
 * Returns whether a failed start may succeed at a second attempt, judged by the output of the server. Such
 * causes are: another process started the server first, or used this one and has stopped it already; sessions
 * of a killed server are still ending.
 */
export function isWorthRetrying(output: string): boolean {
  return PASSING_TROUBLE.some((pattern) => pattern.test(output));
}

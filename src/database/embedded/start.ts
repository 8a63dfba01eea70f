import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { PROGRAM_ENV, identity, lastLines, ownDirectory } from './account.js';
import { type DataLayout, EmbeddedPostgresError, dataDirectoryError } from './data-dir.js';
import { type ClusterTools, writeAccessRules } from './init.js';
import { socketDirectory, socketSettings } from './listen.js';

/** A log with more bytes than this is emptied at a start. */
const MAX_LOG_BYTES = 10 * 1024 * 1024;

/** Options for the start of a server. */
export interface StartOptions extends ClusterTools {
  readonly maxConnections: number;
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

/** Returns the last lines written to the log at `path` after the byte `from`; empty when there are none. */
async function tailLog(path: string, from: number): Promise<string> {
  const written = (await readFile(path).catch(() => Buffer.alloc(0))).subarray(from);
  return lastLines(written.toString());
}

/**
 * Starts the server of a cluster in a separate process group: Ctrl-C in a terminal must reach only this
 * process, which stops the server after its last requests. The server outlives this process. Rules of access
 * that were changed are written again before.
 *
 * @throws {EmbeddedPostgresError} when the rules or the log cannot be written, there is no place for its
 *   socket, or the system refuses to start the program
 */
export async function startServer(
  { cluster, logFile }: DataLayout,
  { binaries, account, maxConnections, directory }: StartOptions,
): Promise<StartedServer> {
  await writeAccessRules(cluster, account);
  const settings = Object.entries({
    ...SETTINGS,
    max_connections: maxConnections,
    ...socketSettings(await socketDirectory(cluster, directory), cluster),
  });
  const log = await openLog(logFile);
  try {
    const { size: from } = await log.stat();
    const child = spawn(
      binaries.postgres,
      [
        '-D',
        ownDirectory(cluster, account),
        ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      {
        cwd: cluster,
        ...identity(account),
        env: PROGRAM_ENV,
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
      },
    );
    let failure: string | undefined;
    child.once('error', (error) => (failure = error.message));
    child.once('exit', (code, signal) => (failure = signal ?? `exit code ${code ?? 'unknown'}`));
    child.unref();
    // The handle of the log can be closed once the program has started or failed to start.
    if (child.pid === undefined) await once(child, 'error').catch(() => undefined);
    return { failure: () => failure, output: () => tailLog(logFile, from) };
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

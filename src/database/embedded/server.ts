import { readFile, rm, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { reasonOf, errorCode } from '../errors.js';
import { ifPresent, fileError } from '../files.js';
import { serviceAccount } from './account.js';
import { nativeBinaries } from './binaries.js';
import {
  identifyCluster,
  inspectCluster,
  parsePostmasterPid,
  processState,
  requireMajor,
  requireUnchanged,
  type DataLayout,
  EmbeddedPostgresError,
  loadPassword,
} from './data-dir.js';
import { ServerHold, type StartOptions, type StartedServer, isWorthRetrying, startServer } from './start.js';
import { giveTo, initialiseCluster, removeUnfinished } from './init.js';
import { lock } from 'proper-lockfile';

const START_MS = 30_000;
const START_POLL_MS = 15;
const STOP_MS = 30_000;
const STOP_POLL_MS = 10;

/**
 * Milliseconds after which an incomplete pid file counts as the result of a power failure. PostgreSQL writes
 * it at once.
 */
const INCOMPLETE_MS = 2_000;

/** Where the server of a data directory is, and how this process uses it. */
export interface ServerContext {
  readonly layout: DataLayout;
  readonly log: (message: string) => void;
  readonly sharedDirs: readonly string[] | undefined;
  /** Attempts give up when it aborts, unless a server is being started. */
  readonly signal: AbortSignal;
}

/** A server in use by this process. */
export interface Connection {
  readonly hold: ServerHold;
  readonly password: string;
  /** Absolute path of the directory with its socket. */
  readonly directory: string;
  /** What identifies the cluster that it serves. */
  readonly cluster: string;
}

/**
 * The server of a data directory is in one of four states, which its pid file, the process that this names,
 * and an attempt to connect tell:
 *
 * - `running`: it lets this process in, which holds it from now on. Every process may hold it. The last one
 *   that lets go of it stops it (`stopServer`).
 * - `starting`: its process is alive and does not let this one in, because it starts, recovers or stops.
 *   Everybody waits.
 * - `stale`: there is no server, and a pid file that would keep a new one from starting. The process with the
 *   directory's lock removes the file.
 * - `none`: there is no server. The process with the directory's lock makes the cluster if there is none, and
 *   starts the server.
 *
 * Whoever takes the lock looks at the state again, because another process may have changed it before.
 */
type ServerState =
  | { readonly is: 'running'; readonly connection: Connection }
  | { readonly is: 'starting'; readonly reason: string }
  | { readonly is: 'stale'; readonly text: string }
  | { readonly is: 'none' };

/**
 * Returns the state of the server of a cluster.
 *
 * @throws {EmbeddedPostgresError} when it runs and will never let this process in
 */
async function serverState(
  { layout: { cluster, pidFile } }: ServerContext,
  password: string,
): Promise<ServerState> {
  const text = await ifPresent(readFile(pidFile, 'utf8'));
  if (text === undefined) return { is: 'none' };
  const content = parsePostmasterPid(text, cluster);
  if (!content) {
    const written = await stat(pidFile).catch(() => undefined);
    const isTorn = written && Date.now() - written.mtimeMs > INCOMPLETE_MS;
    return isTorn ? { is: 'stale', text } : { is: 'starting', reason: `${pidFile} is incomplete` };
  }
  const server = `process ${content.pid}`;
  const found = await processState(content.pid, cluster);
  if (found === 'gone') return { is: 'none' };
  if (found !== 'ours') return { is: 'stale', text };
  if (content.status === 'stopping') return { is: 'starting', reason: `${server} is stopping` };
  const { directory } = content;
  if (directory === undefined) return { is: 'starting', reason: `${server} does not listen yet` };
  try {
    const identity = await identifyCluster(cluster);
    const hold = await ServerHold.take({ directory, password, cluster });
    return { is: 'running', connection: { hold, password, directory, cluster: identity } };
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    return { is: 'starting', reason: `${server}: ${reasonOf(error)}` };
  }
}

/**
 * Uses the server, and starts it when it is not running. The caller must hold the directory's lock: only then
 * can no other server be about to write the pid file.
 *
 * @throws {EmbeddedPostgresError} with the end of its log when the server does not start; when it does not
 *   answer within 30 seconds
 * @throws the reason of `signal` when it aborts while no server is being started
 */
async function connectOrStart(
  context: ServerContext,
  { password, ...start }: StartOptions & Pick<Connection, 'password'>,
): Promise<Connection> {
  const { layout, log, signal } = context;
  const deadline = Date.now() + START_MS;
  let started: StartedServer | undefined;
  let reason = 'the server has not begun to answer';
  while (Date.now() < deadline) {
    if (!started) signal.throwIfAborted();
    // This is read first: a server that has ended by now cannot write its pid file afterwards.
    const failure = started?.failure();
    const state = await serverState(context, password);
    if (state.is === 'running') return state.connection;
    if (state.is === 'starting') ({ reason } = state);
    if (started && failure !== undefined) {
      reason = await started.output();
      if (!isWorthRetrying(reason)) {
        throw new EmbeddedPostgresError(
          `The embedded PostgreSQL did not start (${failure}). The last lines of its log:\n${reason}`,
        );
      }
      started = undefined;
    } else if (!started && state.is !== 'starting') {
      if (state.is === 'stale' && (await ifPresent(readFile(layout.pidFile, 'utf8'))) === state.text) {
        log(`Removing ${layout.pidFile}, which a killed server left behind.`);
        await rm(layout.pidFile, { force: true });
      }
      started = await startServer(layout, start);
    }
    await delay(START_POLL_MS);
  }
  throw new EmbeddedPostgresError(
    `The embedded PostgreSQL in ${layout.cluster} (DATA_DIR) did not answer within ${START_MS / 1000} seconds ` +
      `(${reason}). It may still be recovering from a crash: see ${layout.logFile} and try again. ` +
      `If no PostgreSQL is running, delete ${layout.pidFile}.`,
  );
}

/**
 * Uses the server of a data directory, and starts it when it is not running. Initialises the directory the
 * first time.
 *
 * @param lost the connection of before, which was lost: the server must be that of the same cluster
 * @returns the server, and whether its cluster was made just now
 * @throws {EmbeddedPostgresError} with advice, when the machine has no build of PostgreSQL, the directory
 *   cannot be used, its password is missing, or the server does not start or answer within 30 seconds; a
 *   final one, when the cluster was removed or replaced, or needs another major version or another password
 * @throws the reason of `context.signal` when it aborts
 */
export async function openServer(
  context: ServerContext,
  lost?: Connection,
): Promise<{ readonly connection: Connection; readonly fresh: boolean }> {
  const { layout, log } = context;
  return withLock(layout.lockFile, context, async () => {
    if (lost) await requireUnchanged(layout.cluster, lost.cluster);
    else await removeUnfinished(layout);
    const existing = await inspectCluster(layout);
    const account = await serviceAccount(existing);
    // They are looked for again each time: a copy of them may have been removed from a temporary directory.
    const binaries = await nativeBinaries(account, context.sharedDirs);
    if (existing) requireMajor(layout.cluster, existing.major, binaries.major);
    else log(`Creating the embedded database in ${layout.cluster}.`);
    const password = lost?.password ?? loadPassword(layout, existing !== undefined);
    const fresh = !existing && (await initialiseCluster(layout, password, { binaries, account }));
    // The cluster may belong to root, for example after it was copied. Its server cannot run as root.
    if (existing?.uid === 0) await giveTo(account, layout.cluster);
    const start = { binaries, account, password, directory: lost?.directory };
    return { connection: await connectOrStart(context, start), fresh };
  });
}

/**
 * Stops the server of a cluster, whichever process started it, and waits until it has ended. Open sessions
 * are closed and their transactions rolled back ("fast shutdown"). Does nothing when the server is not
 * running, or the cluster was replaced: the server of the new one must not be stopped.
 *
 * @param opened what identifies the cluster that this process has opened
 * @throws {EmbeddedPostgresError} when the server still runs after 30 seconds
 */
export async function stopServer({ cluster, pidFile }: DataLayout, opened: string): Promise<void> {
  const text = (await ifPresent(readFile(pidFile, 'utf8'))) ?? '';
  const pid = parsePostmasterPid(text, cluster)?.pid;
  const now = await identifyCluster(cluster).catch(() => undefined);
  if (pid === undefined || now !== opened || (await processState(pid, cluster)) !== 'ours') return;
  process.kill(pid, 'SIGINT');
  const deadline = Date.now() + STOP_MS;
  while ((await processState(pid, cluster)) === 'ours') {
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL (process ${pid}) did not stop within ${STOP_MS / 1000} seconds. ` +
          'It goes on stopping by itself; its data is safe.',
      );
    }
    await delay(STOP_POLL_MS);
  }
}

/** Milliseconds without renewal after which a lock counts as that of a killed process. */
const STALE_MS = 3_000;
const WAIT_MS = 90_000;
const POLL_MS = 20;

/**
 * Runs `work` while no other process runs its own with the same lock. The lock avoids useless work; it does
 * not protect data, because a process that is suspended loses it.
 *
 * @param path absolute path of the lock, in a folder that exists
 * @param options.signal ends the wait for the lock when it aborts
 * @throws {EmbeddedPostgresError} when the lock is not free within 90 seconds
 * @throws Error when it cannot be made; the reason of the signal
 */
export async function withLock<T>(
  path: string,
  { signal }: { readonly signal?: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const end = Date.now() + WAIT_MS;
  let release: (() => Promise<void>) | undefined;
  while (!release) {
    signal?.throwIfAborted();
    try {
      // The package tells the locks of one process apart by what they lock.
      release = await lock(path, {
        lockfilePath: path,
        realpath: false,
        stale: STALE_MS,
        update: STALE_MS / 3,
        // Without it, the package ends the process when the lock was lost.
        onCompromised: () => undefined,
      });
    } catch (error) {
      if (errorCode(error) !== 'ELOCKED') throw fileError(`The lock ${path} cannot be made`, error);
      if (Date.now() > end) {
        throw new EmbeddedPostgresError(
          `Another process has had the lock ${path} for ${WAIT_MS / 1000} seconds, in which it starts the ` +
            'embedded database. Stop that process; if there is none, delete the lock.',
        );
      }
      await delay(POLL_MS);
    }
  }
  try {
    return await work();
  } finally {
    // This fails when the lock was lost.
    await release().catch(() => undefined);
  }
}

import { createHash } from 'node:crypto';
import { lchown, lstat, mkdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { errorCode } from '../errors.js';
import { processState } from './process-state.js';

/** The number at the end of the socket's name. It is the same at every start, and so is the address. */
export const SOCKET_PORT = 5432;

const SOCKET_NAME = `.s.PGSQL.${SOCKET_PORT}`;
/** A name of the same length, for a socket that is made to see whether one can be made. */
const TRIAL_NAME = '.s.PGSQL.test';

/** Bytes that macOS allows in the path of a socket. Linux allows four more. */
const MAX_PATH_BYTES = 103;

const OTHERS = 0o077;
const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;

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

function fits(directory: string): boolean {
  return Buffer.byteLength(join(directory, SOCKET_NAME)) <= MAX_PATH_BYTES;
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
  const isPrivate = found.isDirectory() && found.uid === own.uid && (found.mode & OTHERS) === 0;
  const isReplaceable = (parent.mode & WRITABLE_BY_OTHERS) !== 0 && (parent.mode & STICKY) === 0;
  if (isPrivate && !isReplaceable) return;
  throw new EmbeddedPostgresError(
    `The directory ${directory}, for the socket of the embedded PostgreSQL, can be used by other users. ` +
      'Remove it, set DATA_DIR to a shorter path, or set TMPDIR to a directory that only this user can write.',
  );
}

/**
 * Returns the directory for the socket of the server of `cluster`, which only the cluster's owner may enter:
 * the cluster itself, or a directory in `temporary` where the path of the cluster is too long for a socket or
 * its file system has none. PostgreSQL notes it in the pid file, where other processes find it.
 *
 * @throws {EmbeddedPostgresError} when there is no such directory
 */
export async function socketDirectory(cluster: string, temporary: string = tmpdir()): Promise<string> {
  if (fits(cluster) && (await makesSockets(cluster))) return cluster;
  const name = createHash('sha256').update(cluster).digest('hex').slice(0, 16);
  const directory = join(await realpath(temporary), `fairlead-${name}`);
  if (!fits(directory)) {
    throw new EmbeddedPostgresError(
      `The paths of ${cluster} and of ${directory} are too long for a socket of PostgreSQL. ` +
        'Set DATA_DIR or TMPDIR to a shorter path.',
    );
  }
  try {
    await mkdir(directory, { mode: 0o700 });
    const { uid, gid } = await stat(cluster);
    if (process.geteuid?.() === 0) await lchown(directory, uid, gid);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  await requirePrivate(directory, cluster);
  return directory;
}

/**
 * Removes the lock of the socket in `directory` that a killed server of `cluster` left behind. PostgreSQL
 * would take any other process that has the same id by now for the owner of the socket.
 */
export async function removeStaleSocketLock(directory: string, cluster: string): Promise<void> {
  const lock = join(directory, `${SOCKET_NAME}.lock`);
  const text = await readFile(lock, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const pid = Number.parseInt(text, 10);
  if (pid > 0 && (await processState(pid, cluster)) === 'ours') return;
  await rm(lock, { force: true });
}

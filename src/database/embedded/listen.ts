import { createHash } from 'node:crypto';
import { lchown, lstat, mkdir, realpath, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { errorCode } from '../errors.js';
import { isReplaceableIn } from '../files.js';
import { EmbeddedPostgresError } from './data-dir.js';
import { SERVICE_ROLE } from './init.js';

/** The number at the end of the socket's name. It is the same at every start, and so is the address. */
export const SOCKET_PORT = 5432;

const SOCKET_NAME = `.s.PGSQL.${SOCKET_PORT}`;
/** A name of the same length, for a socket that is made to see whether one can be made. */
const TRIAL_NAME = '.s.PGSQL.test';

/** Bytes that macOS allows in the path of a socket. Linux allows four more. */
const MAX_PATH_BYTES = 103;

const OTHERS = 0o077;

/**
 * Returns the address of the database for pg: `postgres://<role>:<password>@<host>:<port>/<role>`. The
 * directory of the socket stands percent-encoded in place of the host, as libpq defines it.
 */
export function databaseUrl(directory: string, password: string): string {
  const [secret, host] = [encodeURIComponent(password), encodeURIComponent(directory)];
  return `postgres://${SERVICE_ROLE}:${secret}@${host}:${SOCKET_PORT}/${SERVICE_ROLE}`;
}

/** Returns the settings of a server that listens on a socket in `directory`, and on no port. */
export function socketSettings(directory: string, cluster: string): Record<string, string> {
  return {
    listen_addresses: '',
    port: String(SOCKET_PORT),
    // The server works in its cluster, whose full path it may not be able to enter.
    unix_socket_directories: directory === cluster ? '.' : `"${directory.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  };
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

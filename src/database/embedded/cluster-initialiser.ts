import { lchown, mkdir, mkdtemp, open, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspectCluster } from './cluster.js';
import { dataDirectoryError } from './data-directory.js';
import { type DataLayout, UNFINISHED_PREFIX } from './data-layout.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import type { NativeBinaries } from './native-binaries.js';
import { reachablePath } from './path-access.js';
import { runProgram } from './run-program.js';
import type { ServiceAccount } from './service-account.js';

/** Options of a new cluster. */
interface InitialiseOptions {
  readonly binaries: NativeBinaries;
  /** The user that owns the cluster. Undefined for the user of this process. */
  readonly account: ServiceAccount | undefined;
  /** Password of the superuser `fairlead`. */
  readonly password: string;
}

/** Makes `account` the owner of `path` and all its contents. Does nothing without an account. */
export async function giveTo(account: ServiceAccount | undefined, path: string): Promise<void> {
  if (!account) return;
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true })) {
    await lchown(join(entry.parentPath, entry.name), account.uid, account.gid);
  }
  await lchown(path, account.uid, account.gid);
}

async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function runInitdb(data: string, { binaries, account }: InitialiseOptions): Promise<void> {
  const { code, output } = await runProgram(
    binaries.initdb,
    [
      ...[
        '--pgdata',
        await reachablePath(data, account),
        '--username',
        'fairlead',
        '--auth',
        'scram-sha-256',
      ],
      // The name is relative, because the user may not be able to enter the directories of the full path.
      ...['--pwfile', join('..', 'password'), '--encoding', 'UTF8', '--locale', 'C'],
      ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--no-instructions'],
    ],
    { cwd: data, account },
  );
  if (code === 0) return;
  throw new EmbeddedPostgresError(
    `PostgreSQL could not make its database in the data directory (DATA_DIR), in ${data}: initdb ended with ` +
      `${code === null ? 'no exit code' : `code ${code}`}:\n${output.trim().split('\n').slice(-15).join('\n')}`,
  );
}

/** Removes unfinished clusters of processes that were killed during initialisation. */
export async function removeUnfinished({ root }: DataLayout): Promise<void> {
  for (const name of await readdir(root)) {
    if (!name.startsWith(UNFINISHED_PREFIX)) continue;
    // A program may outlive its killed parent and still write there. The next start then removes the
    // directory.
    await rm(join(root, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/**
 * Makes the cluster and flushes it to the disk. The cluster gets its final name when it is complete, so an
 * unfinished one is never used.
 *
 * @returns false when another process has made one in the meantime
 * @throws {EmbeddedPostgresError} with initdb's last lines when it fails, or naming DATA_DIR when files
 *   cannot be made
 */
export async function initialiseCluster(layout: DataLayout, options: InitialiseOptions): Promise<boolean> {
  const { root, cluster } = layout;
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(root, UNFINISHED_PREFIX));
    const data = join(folder, 'data');
    await mkdir(data, { mode: 0o700 });
    await writeFile(join(folder, 'password'), `${options.password}\n`, { mode: 0o600 });
    await giveTo(options.account, folder);
    await runInitdb(data, options);
    // An empty directory with that name is removed. A directory with contents makes the rename fail.
    await rmdir(cluster).catch(() => undefined);
    await rename(data, cluster);
    await syncDirectory(root);
    return true;
  } catch (error) {
    // This process was suspended for so long that another process made the cluster.
    if (await inspectCluster(layout)) return false;
    throw error instanceof EmbeddedPostgresError ? error : dataDirectoryError(root, error);
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

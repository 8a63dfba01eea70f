import { lchown, mkdir, mkdtemp, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inspectCluster } from './cluster.js';
import { type RoleOptions, SUPERUSER, createRoles } from './cluster-roles.js';
import { dataDirectoryError } from './data-directory.js';
import { type DataLayout, UNFINISHED_PREFIX, clusterFiles } from './data-layout.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { reachablePath } from './path-access.js';
import { runProgram } from './run-program.js';
import type { ServiceAccount } from './service-account.js';
import { syncDirectory } from './sync-directory.js';

/** Makes `account` the owner of `path` and all its contents. Does nothing without an account. */
export async function giveTo(account: ServiceAccount | undefined, path: string): Promise<void> {
  if (!account) return;
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true })) {
    await lchown(join(entry.parentPath, entry.name), account.uid, account.gid);
  }
  await lchown(path, account.uid, account.gid);
}

async function runInitdb(
  data: string,
  args: readonly string[],
  { binaries, account }: RoleOptions,
): Promise<void> {
  const directory = await reachablePath(data, account);
  const { code, output } = await runProgram(binaries.initdb, ['--pgdata', directory, ...args], {
    cwd: data,
    account,
  });
  if (code === 0) return;
  throw new EmbeddedPostgresError(
    `PostgreSQL could not make its database in the data directory (DATA_DIR), in ${data}: initdb ended with ` +
      `${code === null ? 'no exit code' : `code ${code}`}:\n${output.trim().split('\n').slice(-15).join('\n')}`,
  );
}

/** Makes a complete cluster in the empty directory `data`, and flushes it to the disk at the end. */
async function makeCluster(data: string, options: RoleOptions): Promise<void> {
  await runInitdb(
    data,
    [
      ...['--username', SUPERUSER, '--auth', 'reject', '--encoding', 'UTF8', '--locale', 'C'],
      ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--no-instructions', '--no-sync'],
    ],
    options,
  );
  await createRoles(clusterFiles(data), options);
  await runInitdb(data, ['--sync-only'], options);
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
 * Makes the cluster with the role and the database of the service, and flushes it to the disk. The cluster
 * gets its final name when it is complete, so an unfinished one is never used.
 *
 * @returns false when another process has made one in the meantime
 * @throws {EmbeddedPostgresError} with the last lines of PostgreSQL's programs when one fails, or naming
 *   DATA_DIR when files cannot be made
 */
export async function initialiseCluster(layout: DataLayout, options: RoleOptions): Promise<boolean> {
  const { root, cluster } = layout;
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(root, UNFINISHED_PREFIX));
    const data = join(folder, 'data');
    await mkdir(data, { mode: 0o700 });
    await giveTo(options.account, folder);
    await makeCluster(data, options);
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

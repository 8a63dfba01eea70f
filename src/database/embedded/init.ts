import { lchown, mkdir, mkdtemp, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '../files.js';
import { type ProgramResult, type ServiceAccount, lastLines, ownDirectory, runProgram } from './account.js';
import type { NativeBinaries } from './binaries.js';
import { inspectCluster, type DataLayout, EmbeddedPostgresError, dataDirectoryError } from './data-dir.js';

/** The role of the service, and its database, which it owns. It has no other right. */
export const SERVICE_ROLE = 'fairlead';

/** The superuser that initdb makes. It has no password, so it cannot log in to a server. */
const SUPERUSER = 'fairlead_superuser';

/** Prefix of the directories in which clusters are made before they get their final name. */
const UNFINISHED_PREFIX = 'postgres.init-';

const ACCESS_RULES = '# Written by Fairlead.\nlocal all all scram-sha-256\n';

/** The programs that work on a cluster, and the user that runs them. */
export interface ClusterTools {
  readonly binaries: NativeBinaries;
  /** Owner of the cluster. Undefined for the user of this process. */
  readonly account: ServiceAccount | undefined;
}

/** Makes `account` the owner of `path` and all its contents. Does nothing without an account. */
export async function giveTo(account: ServiceAccount | undefined, path: string): Promise<void> {
  if (!account) return;
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true })) {
    await lchown(join(entry.parentPath, entry.name), account.uid, account.gid);
  }
  await lchown(path, account.uid, account.gid);
}

function requireSuccess({ code, output }: ProgramResult, failure: string): void {
  if (code === 0) return;
  throw new EmbeddedPostgresError(
    `${failure} ended with ${code === null ? 'no exit code' : `code ${code}`}:\n` + lastLines(output),
  );
}

async function runInitdb(data: string, args: readonly string[], tools: ClusterTools): Promise<void> {
  const { binaries, account } = tools;
  const result = await runProgram(binaries.initdb, ['--pgdata', ownDirectory(data, account), ...args], {
    cwd: data,
    account,
  });
  requireSuccess(
    result,
    `PostgreSQL could not make its database in the data directory (DATA_DIR), in ${data}: initdb`,
  );
}

/**
 * Runs statements as the superuser of a cluster without a server, so no password is needed, in the database
 * `postgres`. Stops at the first that fails. Each statement is a line, and a transaction of its own, which is
 * not flushed to the disk. The cluster must not be in use.
 *
 * @throws {EmbeddedPostgresError} with PostgreSQL's last lines when one fails
 */
export async function runAsSuperuser(
  cluster: string,
  statements: readonly string[],
  { binaries, account }: ClusterTools,
): Promise<void> {
  const result = await runProgram(
    binaries.postgres,
    [
      ...['--single', '-F', '-D', ownDirectory(cluster, account), '-c', 'exit_on_error=on'],
      ...['-c', 'search_path=pg_catalog', '-c', 'password_encryption=scram-sha-256'],
      // A failed statement may contain a password.
      ...['-c', 'log_min_error_statement=panic', '-c', 'log_checkpoints=off', 'postgres'],
    ],
    { cwd: cluster, account, input: statements.map((text) => `${text}\n`).join('') },
  );
  requireSuccess(result, `PostgreSQL could not prepare the database in ${cluster}; it`);
}

/** Makes a complete cluster in the empty directory `data`, and flushes it to the disk at the end. */
async function makeCluster(data: string, password: string, tools: ClusterTools): Promise<void> {
  const settings = [
    ...['--username', SUPERUSER, '--auth', 'reject', '--encoding', 'UTF8', '--locale', 'C'],
    ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--no-instructions', '--no-sync'],
  ];
  await runInitdb(data, settings, tools);
  const statements = [
    `CREATE ROLE ${SERVICE_ROLE} LOGIN PASSWORD '${password.replaceAll("'", "''")}'`,
    `CREATE DATABASE ${SERVICE_ROLE} OWNER ${SERVICE_ROLE}`,
  ];
  await runAsSuperuser(data, statements, tools);
  // The file is there: its owner and mode stay.
  await writeFile(join(data, 'pg_hba.conf'), ACCESS_RULES);
  await runInitdb(data, ['--sync-only'], tools);
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
export async function initialiseCluster(
  layout: DataLayout,
  password: string,
  tools: ClusterTools,
): Promise<boolean> {
  const { root, cluster } = layout;
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(root, UNFINISHED_PREFIX));
    const data = join(folder, 'data');
    await mkdir(data, { mode: 0o700 });
    await giveTo(tools.account, folder);
    await makeCluster(data, password, tools);
    // An empty directory with that name is removed. A directory with contents makes the rename fail.
    await rmdir(cluster).catch(() => undefined);
    await rename(data, cluster);
    syncDirectory(root);
    return true;
  } catch (error) {
    // This process was suspended for so long that another process made the cluster.
    if (await inspectCluster(layout)) return false;
    throw error instanceof EmbeddedPostgresError ? error : dataDirectoryError(root, error);
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

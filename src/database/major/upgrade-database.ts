import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { MigrationClass } from '../data-source.js';
import { DatabaseServer } from '../dump/database-server.js';
import type { TableRows } from '../dump/dump-records.js';
import { loadDatabase } from '../dump/load-database.js';
import { writeDump } from '../dump/write-dump.js';
import type { DataLayout } from '../embedded/data-layout.js';
import { majorVersion } from '../embedded/major-version.js';
import { locatePlatformPackage } from '../embedded/platform-package.js';
import { readPostmasterPid } from '../embedded/postmaster-pid.js';
import { processState } from '../embedded/process-state.js';
import { replaceCluster } from '../embedded/replace-cluster.js';
import { requireCluster } from '../embedded/require-cluster.js';
import { otherPrograms } from './other-programs.js';
import { withUpgradeLock } from './upgrade-lock.js';

/** What is upgraded, and with which programs. */
export interface UpgradeOptions {
  readonly dataDir: string;
  /** Folder with the programs of the PostgreSQL that made the database. */
  readonly oldBinaries: string;
  /** Migrations of extensions. */
  readonly migrations: readonly MigrationClass[];
  /** Version of this program. */
  readonly fairlead: string;
  /** Receives messages about progress, one sentence per call. */
  readonly log: (message: string) => void;
}

/** The result of an upgrade. */
export interface UpgradedDatabase {
  /** Major versions. They are equal when there was nothing to do. */
  readonly from: string;
  readonly to: string;
  /** Directory of the former cluster; null when there was nothing to do. */
  readonly kept: string | null;
  readonly tables: readonly TableRows[];
}

/** Prefix of the directories in which a new cluster is filled. */
const WORK_PREFIX = 'postgres.upgrade-';

/**
 * Moves the embedded database to the major version of PostgreSQL that this package brings, over a dump. The
 * former cluster is kept beside the new one.
 * @throws Error when the programs do not fit, the database is in use, another process upgrades it, a former
 *   cluster is in the way, or the rows cannot be moved; the database is as it was then
 */
export async function upgradeDatabase(options: UpgradeOptions): Promise<UpgradedDatabase> {
  const layout = await requireCluster(options.dataDir);
  return withUpgradeLock(layout, options.log, () => upgradeAlone(options));
}

async function upgradeAlone(options: UpgradeOptions): Promise<UpgradedDatabase> {
  const { dataDir, oldBinaries, log } = options;
  const layout = await requireCluster(dataDir);
  const { root, major: from } = layout;
  const to = majorVersion(locatePlatformPackage().version);
  if (from === to) return { from, to, kept: null, tables: [] };
  const programs = await otherPrograms(oldBinaries);
  if (majorVersion(programs.version) !== from) {
    throw new Error(
      `The database in ${layout.cluster} was made by PostgreSQL ${from}, and the programs in ${oldBinaries} are of ` +
        `PostgreSQL ${programs.version}: --old-binaries must name those of PostgreSQL ${from}`,
    );
  }
  await requireStopped(layout);
  const kept = join(root, `postgres-${from}`);
  if (await stat(kept).catch(() => undefined)) {
    throw new Error(`${kept} exists, and the present cluster would be kept there: move it away`);
  }
  await removeLeftovers(root);
  const work = await mkdtemp(join(root, WORK_PREFIX));
  try {
    // The user of the server must reach the cluster in it, which is private like the dump.
    await chmod(work, 0o755);
    const dump = join(work, 'dump');
    log(`Reading the database with PostgreSQL ${from}.`);
    const old = await DatabaseServer.open({ url: undefined, dataDir }, { create: false, programs });
    try {
      await old.connected((client) => writeDump(client, { path: dump, fairlead: options.fairlead }));
    } finally {
      await old.close();
    }
    log(`Writing it with PostgreSQL ${to}.`);
    const next = join(work, 'data');
    await mkdir(next);
    await copyFile(layout.passwordFile, join(next, 'postgres-password'));
    const { tables } = await loadDatabase({ ...options, url: undefined, dataDir: next, path: dump });
    await replaceCluster(layout, {
      next: join(next, 'postgres'),
      kept,
      log,
      check: () => requireStopped(layout),
    });
    return { from, to, kept, tables };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** @throws Error with the process id of the server when it runs */
async function requireStopped({ cluster, pidFile }: DataLayout): Promise<void> {
  const pid = (await readPostmasterPid(pidFile))?.content?.pid;
  if (pid === undefined) return;
  const state = await processState(pid, cluster);
  if (state !== 'ours' && state !== 'unknown') return;
  throw new Error(
    `The database in ${cluster} is in use (process ${pid} serves it). Stop the service with its earlier version of ` +
      `Fairlead first; if none runs, stop that process with SIGINT.`,
  );
}

/** Removes what an upgrade left behind that was killed. No other one is running. */
async function removeLeftovers(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    if (name.startsWith(WORK_PREFIX)) await rm(join(root, name), { recursive: true, force: true });
  }
}

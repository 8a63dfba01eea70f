import { lchown, mkdir, mkdtemp, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { inspectCluster } from '../embedded/cluster.js';
import { giveTo } from '../embedded/cluster-initialiser.js';
import { prepareDataDirectory } from '../embedded/data-directory.js';
import { type DataLayout, UNFINISHED_PREFIX } from '../embedded/data-layout.js';
import { withDirectoryLock } from '../embedded/directory-lock.js';
import { majorVersion } from '../embedded/major-version.js';
import { nativeBinaries } from '../embedded/native-binaries.js';
import { beginRestore, endRestore, removeRestore } from '../embedded/restore-marker.js';
import { serviceAccount } from '../embedded/service-account.js';
import { syncDirectory } from '../embedded/sync-directory.js';
import { ifPresent } from '../if-present.js';
import { fileError } from '../file-error.js';
import { type BackupManifest, DATA_FOLDER, readManifest } from './backup-manifest.js';
import { checkCluster } from './check-cluster.js';
import { copyFile } from './copy-file.js';
import { flushFiles } from './flush-files.js';
import { requireComplete } from './require-complete.js';

/** What is restored, and where to. */
export interface RestoreOptions {
  /** Folder of the backup. */
  readonly backup: string;
  /** The data directory, which must be empty or absent. */
  readonly dataDir: string;
  /** Receives messages about progress, one sentence per call. */
  readonly log: (message: string) => void;
}

/** Names in a data directory that is as good as empty. */
const NO_CONTENTS = new Set(['lost+found', 'postgres.lock']);

/**
 * Restores a backup: verifies all its files, recovers the database and checks it. Only then the database gets
 * its place in the data directory. What an earlier restore has left that was cut short is removed.
 * @throws Error when the folder is not a whole backup, another major version of PostgreSQL made it, the data
 *   directory is not empty, or the recovered database is not sound
 */
export async function restoreBackup({ backup, dataDir, log }: RestoreOptions): Promise<BackupManifest> {
  const source = resolve(backup);
  if (!(await ifPresent(stat(source)))?.isDirectory()) {
    throw new Error(`There is no backup at ${source}: no such folder`);
  }
  const manifest = await readManifest(source);
  await requireComplete(source, manifest);
  const account = await serviceAccount(undefined);
  const binaries = await nativeBinaries(account);
  const major = majorVersion(manifest.postgres);
  if (major !== binaries.major) {
    throw new Error(
      `The backup ${backup} was made by PostgreSQL ${major}, and this version of Fairlead brings PostgreSQL ` +
        `${binaries.major}. Restore it with Fairlead ${manifest.fairlead}, and upgrade the database then.`,
    );
  }
  const layout = await prepareDataDirectory(dataDir);
  await withDirectoryLock(layout, { log }, async () => {
    if (!(await inspectCluster(layout))) await removeRestore(layout);
    await requireEmpty(layout);
    const folder = await mkdtemp(join(layout.root, UNFINISHED_PREFIX));
    try {
      log('Copying and verifying the files of the backup.');
      await copyAll(source, folder, manifest);
      await giveTo(account, join(folder, 'postgres'));
      // The server's user reaches the cluster through the folder. The other files stay those of this user.
      if (account) await lchown(folder, account.uid, account.gid);
      log('Recovering and checking the database.');
      await checkCluster(join(folder, 'postgres'), { binaries, account });
      await putInPlace(folder, layout);
    } catch (error) {
      throw fileError(`The backup ${backup} cannot be restored`, error);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
  return manifest;
}

async function requireEmpty({ root }: DataLayout): Promise<void> {
  const contents = (await readdir(root)).filter(
    (name) => !NO_CONTENTS.has(name) && !name.startsWith(UNFINISHED_PREFIX),
  );
  if (contents.length === 0) return;
  throw new Error(
    `A backup is restored into an empty data directory only, and ${root} (DATA_DIR) holds ` +
      `${contents.sort().slice(0, 5).join(', ')}. Move the contents away, or set DATA_DIR to another directory.`,
  );
}

/** Copies all files of the backup. @throws Error naming the first that is not what the manifest says */
async function copyAll(source: string, folder: string, manifest: BackupManifest): Promise<void> {
  for (const path of manifest.directories) await mkdir(join(folder, path), { mode: 0o700 });
  for (const { path, size, sha256 } of manifest.files) {
    const copied = await copyFile(join(source, DATA_FOLDER, path), join(folder, path));
    if (copied.size === size && copied.sha256 === sha256) continue;
    throw new Error(`The backup ${source} is damaged: the contents of ${path} have changed`);
  }
  await flushFiles(
    folder,
    manifest.files.map(({ path }) => path),
    manifest.directories,
  );
}

/** Moves the restored files into the data directory, the cluster last: with it, the rest must be there. */
async function putInPlace(folder: string, layout: DataLayout): Promise<void> {
  const { root, cluster } = layout;
  const names = (await readdir(folder)).filter((name) => name !== 'postgres');
  await beginRestore(layout, names);
  for (const name of names) await rename(join(folder, name), join(root, name));
  await rmdir(cluster).catch(() => undefined);
  await rename(join(folder, 'postgres'), cluster);
  await syncDirectory(root);
  await endRestore(layout);
}

import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmbeddedPostgres } from '../embedded/embedded-postgres.js';
import { requireCluster } from '../embedded/require-cluster.js';
import { syncDirectory } from '../embedded/sync-directory.js';
import { fileError } from '../file-error.js';
import { freeTarget } from '../free-target.js';
import { BackupFolder } from './backup-folder.js';
import { type BackupManifest, DATA_FOLDER, writeManifest } from './backup-manifest.js';
import { BackupSession } from './backup-session.js';
import { CONTROL_FILE, clusterContents } from './cluster-contents.js';
import { walSegments } from './wal-position.js';

/** What is backed up, and where to. */
export interface BackupOptions {
  /** The data directory. Its service may be running. */
  readonly dataDir: string;
  /** Path of the backup, which must not exist. */
  readonly target: string;
  /** Version of this program. */
  readonly fairlead: string;
  /** Names of further files of the data directory that a restored service needs, where they exist. */
  readonly kept: readonly string[];
}

/**
 * Copies the embedded database so that it can be restored to the moment at which the copy was complete. The
 * backup gets its name when it is complete and on the disk.
 * @throws Error when `target` exists or cannot be written, or there is no database
 */
export async function takeBackup(options: BackupOptions): Promise<BackupManifest> {
  const layout = await requireCluster(options.dataDir);
  const failure = `The backup ${options.target} cannot be made`;
  const target = await freeTarget(options.target, { failure, dataDir: layout.root });
  let folder: string | undefined;
  try {
    folder = await mkdtemp(`${target}.unfinished-`);
    const database = await EmbeddedPostgres.open({ dataDir: options.dataDir });
    let manifest: BackupManifest;
    try {
      manifest = await copyInto(folder, database.url, { ...options, ...layout });
    } finally {
      await database.close();
    }
    await rename(folder, target);
    await syncDirectory(dirname(target));
    return manifest;
  } catch (error) {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    throw fileError(failure, error);
  }
}

async function copyInto(
  folder: string,
  url: string,
  { root, cluster, kept, fairlead }: BackupOptions & { readonly root: string; readonly cluster: string },
): Promise<BackupManifest> {
  const session = await BackupSession.open(url);
  try {
    await mkdir(join(folder, DATA_FOLDER), { mode: 0o700 });
    const copy = new BackupFolder(join(folder, DATA_FOLDER));
    const facts = await session.facts();
    const startedAt = new Date().toISOString();
    const start = await session.start('fairlead backup');
    await copy.directory('postgres');
    for await (const { path, isDirectory } of clusterContents(cluster)) {
      if (isDirectory) await copy.directory(`postgres/${path}`);
      else if (path === CONTROL_FILE)
        await copy.content(`postgres/${path}`, await stableContent(join(cluster, path)));
      else await copy.file(`postgres/${path}`, join(cluster, path));
    }
    const { stop, label } = await session.stop();
    await copy.content('postgres/backup_label', Buffer.from(label));
    for (const name of walSegments({ ...facts, start, stop })) {
      await copy.needed(`postgres/pg_wal/${name}`, join(cluster, 'pg_wal', name));
    }
    await copy.needed('postgres-password', join(root, 'postgres-password'));
    for (const name of kept) await copy.file(name, join(root, name));
    await copy.flush();
    const { files, directories } = copy;
    const times = { startedAt, finishedAt: new Date().toISOString() };
    const manifest = { fairlead, ...facts, start, stop, ...times, directories, files };
    const written = await writeManifest(folder, manifest);
    await syncDirectory(folder);
    return written;
  } finally {
    await session.close();
  }
}

/**
 * Reads a small file that the server overwrites in place. Two reads that agree have not met a write that was
 * half done.
 */
async function stableContent(path: string): Promise<Buffer> {
  let [before, content] = [await readFile(path), await readFile(path)];
  while (!before.equals(content)) [before, content] = [content, await readFile(path)];
  return content;
}

import { lstat, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type BackupManifest, DATA_FOLDER } from './backup-manifest.js';

/**
 * Compares the files of the backup in `folder` with its manifest by name and size, which is quick. A link is
 * no file of a backup.
 * @throws Error naming the first file that is missing, has another size, or is not in the manifest
 */
export async function requireComplete(folder: string, { files, directories }: BackupManifest): Promise<void> {
  const data = join(folder, DATA_FOLDER);
  for (const { path, size } of files) {
    const found = await lstat(join(data, path)).catch(() => undefined);
    if (!found?.isFile()) throw new Error(`The backup ${folder} is incomplete: ${path} is missing`);
    if (found.size === size) continue;
    throw new Error(`The backup ${folder} is damaged: ${path} has ${found.size} bytes, not ${size}`);
  }
  for (const path of directories) {
    const found = await lstat(join(data, path)).catch(() => undefined);
    if (!found?.isDirectory()) throw new Error(`The backup ${folder} is incomplete: ${path} is missing`);
  }
  const known = new Set([...directories, ...files.map(({ path }) => path)]);
  for (const entry of await readdir(data, { recursive: true, withFileTypes: true })) {
    const path = relative(data, join(entry.parentPath, entry.name)).replaceAll(sep, '/');
    if (!known.has(path)) throw new Error(`The backup ${folder} is damaged: ${path} does not belong to it`);
  }
}

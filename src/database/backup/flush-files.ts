import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '../embedded/sync-directory.js';

/** Files that are flushed at a time. The file system then writes its journal once for several. */
const TOGETHER = 32;

/** Flushes files and the names in directories to the disk. All paths are relative to `root`. */
export async function flushFiles(
  root: string,
  files: readonly string[],
  directories: readonly string[],
): Promise<void> {
  for (let from = 0; from < files.length; from += TOGETHER) {
    await Promise.all(files.slice(from, from + TOGETHER).map((path) => flushFile(join(root, path))));
  }
  for (const path of [...directories, '.']) await syncDirectory(join(root, path));
}

async function flushFile(path: string): Promise<void> {
  // Windows flushes only what is open for writing.
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

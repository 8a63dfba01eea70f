import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory } from './embedded/sync-directory.js';
import { errorCode } from './errors.js';

/** Codes of a file system that has no hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * Gives a complete file its final name, in the same folder, which no other file may have. Of several that are
 * published under one name, one is.
 * @param from absolute path of the file
 * @param to absolute path of its final name
 * @param hardLink for tests
 * @throws a system error, with the code EEXIST when the name is taken; the file keeps its name then
 */
export async function publishFile(from: string, to: string, hardLink = link): Promise<void> {
  if (await linked(hardLink(from, to))) {
    // The file is published, also where its other name stays.
    await rm(from).catch(() => undefined);
  } else {
    // An empty file claims the name, and is replaced. `rename` alone would replace any file.
    await (await open(to, 'wx', 0o600)).close();
    await rename(from, to).catch(async (error: unknown) => {
      await rm(to);
      throw error;
    });
  }
  await syncDirectory(dirname(to));
}

/** Returns false where the file system has no hard links. */
async function linked(linking: Promise<void>): Promise<boolean> {
  try {
    await linking;
    return true;
  } catch (error) {
    if (NO_LINKS.has(errorCode(error) ?? '')) return false;
    throw error;
  }
}

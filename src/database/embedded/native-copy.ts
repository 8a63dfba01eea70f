import { chmod, copyFile, lstat, mkdir, mkdtemp, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../errors.js';
import { makeDirectory } from './make-directory.js';
import { completeNative } from './native-links.js';

const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;
const ATTEMPTS = 3;

function trustedOwner(uid: number): boolean {
  return uid === 0 || uid === process.geteuid?.();
}

/**
 * Returns whether only root and this user can have written in `directory` or created it. It must be a real
 * directory that belongs to root or this user. The same holds for each parent, or the parent is a directory
 * in which users cannot change the folders of others (/tmp). `directory` must be free of symbolic links.
 */
export async function isTrusted(directory: string): Promise<boolean> {
  if (process.platform === 'win32') return true;
  for (let path = directory; ; path = dirname(path)) {
    const status = await lstat(path);
    const shared = (status.mode & WRITABLE_BY_OTHERS) !== 0;
    const protectedByStickiness = path !== directory && (status.mode & STICKY) !== 0;
    if (!status.isDirectory() || !trustedOwner(status.uid) || (shared && !protectedByStickiness))
      return false;
    if (path === dirname(path)) return true;
  }
}

async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  const entries = await readdir(from, { withFileTypes: true });
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target);
    // Links are created again. Static libraries are only needed to link programs.
    if (!entry.isFile() || entry.name.endsWith('.a')) continue;
    await copyFile(source, target);
    await chmod(target, 0o644);
  }
}

/**
 * Returns whether every program and library of `native` is in `copy` with the same size, and nobody else can
 * write it.
 */
async function isComplete(native: string, copy: string): Promise<boolean> {
  try {
    for (const folder of ['bin', 'lib']) {
      if (!(await isTrusted(join(copy, folder)))) return false;
      for (const entry of await readdir(join(native, folder), { withFileTypes: true })) {
        if (!entry.isFile() || entry.name.endsWith('.a')) continue;
        const original = await lstat(join(native, folder, entry.name));
        const made = await lstat(join(copy, folder, entry.name));
        if (!made.isFile() || made.size !== original.size) return false;
        if (process.platform !== 'win32' && (made.mode & WRITABLE_BY_OTHERS) !== 0) return false;
      }
    }
    await completeNative(copy);
    return true;
  } catch {
    return false;
  }
}

/** Creates the folder `path` unless it exists. Returns its path with the links of its parents resolved. */
async function createBase(path: string): Promise<string> {
  await makeDirectory(dirname(path));
  const base = join(await realpath(dirname(path)), basename(path));
  try {
    await mkdir(base);
    await chmod(base, 0o755);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  return base;
}

/** Makes a complete copy in the trusted `folder` and names it `copy`. It replaces a damaged copy. */
async function makeCopy(native: string, folder: string, copy: string): Promise<void> {
  const unfinished = await mkdtemp(join(folder, '.unfinished-'));
  try {
    const made = join(unfinished, 'native');
    await copyTree(native, made);
    await completeNative(made);
    try {
      await rename(made, copy);
    } catch {
      // The folder exists: it is the copy of another process, which may be in use already, or a damaged copy.
      if (await isComplete(native, copy)) return;
      await rename(copy, join(unfinished, 'damaged'));
      await rename(made, copy);
    }
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/**
 * Copies the package folder `native` to `<base>/<name>`, unless a complete copy is there already. Returns the
 * path of the copy. The copy appears complete or not at all. Everybody can read it, only its owner can write
 * it.
 *
 * @throws an error naming the folder when somebody else controls or may control it, and a system error when
 *   `base` cannot be written
 */
export async function copyNative(native: string, base: string, name: string): Promise<string> {
  const folder = await createBase(base);
  if (!(await isTrusted(folder))) throw new Error(`${folder} is, or can be, written by other users`);
  const copy = join(folder, name);
  let failure: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await isComplete(native, copy)) return copy;
    // This can fail when several processes replace a damaged copy at once.
    failure = await makeCopy(native, folder, copy).catch((error: unknown) => error);
  }
  if (await isComplete(native, copy)) return copy;
  throw failure instanceof Error ? failure : new Error(`${copy} is not a sound copy of ${native}`);
}

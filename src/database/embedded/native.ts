import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { errorCode } from '../errors.js';
import { ifPresent, isReplaceableIn, isWritableByOthers, makeDirectory } from '../files.js';

/**
 * Creates in `native` (the folder with `bin`, `lib` and the package's list of links) what the package's
 * install script and npm may have left out: the symbolic links between the shared libraries, and the
 * permission to execute the programs. It does not change what exists already, so several processes may do it
 * at once.
 *
 * @returns `native`
 * @throws a system error (`EACCES`, `EROFS`, `EPERM`) when something is missing and this process cannot make
 *   it
 */
export async function completeNative(native: string): Promise<string> {
  const list = (await ifPresent(readFile(join(native, 'pg-symlinks.json'), 'utf8'))) ?? '[]';
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    // Paths in the list are relative to the folder above.
    const path = join(native, relative('native', target));
    if (!(await ifPresent(stat(path)))) await makeLink(path, relative(dirname(target), source));
  }
  for (const name of await readdir(join(native, 'bin'))) {
    const program = join(native, 'bin', name);
    const { mode } = await stat(program);
    if ((mode & 0o111) !== 0o111) await chmod(program, 0o755);
  }
  return native;
}

/** Makes a symbolic link. It replaces one that leads nowhere, or that another process has just made. */
async function makeLink(path: string, target: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await symlink(target, draft);
  try {
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Copies the package folder `native` to `<base>/<name>`, unless a copy is there already. Returns the path of
 * the copy. The copy appears complete or not at all. Everybody can read it, only its owner can write it.
 *
 * @throws an error naming the folder when somebody else controls or may control it, and a system error when
 *   `base` cannot be written
 */
export async function copyNative(native: string, base: string, name: string): Promise<string> {
  const folder = await createBase(base);
  if (!(await isTrusted(folder))) throw new Error(`${folder} is, or can be, written by other users`);
  const copy = join(folder, name);
  if (existsSync(copy)) return copy;
  const unfinished = await mkdtemp(join(folder, '.unfinished-'));
  try {
    const made = join(unfinished, 'native');
    await copyTree(native, made);
    await completeNative(made);
    await rename(made, copy);
  } catch (error) {
    // Another process may have made it.
    if (!existsSync(copy)) throw error;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return copy;
}

/** Creates the folder `path` unless it exists. Returns its path with the links of its parents resolved. */
async function createBase(path: string): Promise<string> {
  makeDirectory(dirname(path));
  const base = join(await realpath(dirname(path)), basename(path));
  try {
    await mkdir(base);
    await chmod(base, 0o755);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  return base;
}

/**
 * Returns whether only root and this user can have written in `directory` or created it. It must be a real
 * directory that belongs to root or this user. The same holds for each parent, or the parent is a directory
 * in which users cannot change the folders of others (/tmp). `directory` must be free of symbolic links.
 */
async function isTrusted(directory: string): Promise<boolean> {
  for (let path = directory; ; path = dirname(path)) {
    const status = await lstat(path);
    const trustedOwner = status.uid === 0 || status.uid === process.geteuid?.();
    const isOpen = path === directory ? isWritableByOthers(status) : isReplaceableIn(status);
    if (!status.isDirectory() || !trustedOwner || isOpen) return false;
    if (path === dirname(path)) return true;
  }
}

/** Copies folders and files, readable for all. Links, and what only linkers need (`.a`), are not copied. */
async function copyTree(from: string, to: string): Promise<void> {
  const isCopied = async (path: string): Promise<boolean> =>
    !path.endsWith('.a') && !(await lstat(path)).isSymbolicLink();
  await cp(from, to, { recursive: true, filter: isCopied });
  await chmod(to, 0o755);
  for (const entry of await readdir(to, { withFileTypes: true, recursive: true })) {
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
}

import { randomUUID } from 'node:crypto';
import { chmod, readFile, readdir, readlink, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { errorCode } from '../errors.js';
import { ifPresent } from '../if-present.js';

interface Link {
  /** Absolute path of the link. */
  readonly path: string;
  /** Target of the link, relative to its own folder. */
  readonly target: string;
}

async function listLinks(native: string): Promise<Link[]> {
  const text = (await ifPresent(readFile(join(native, 'pg-symlinks.json'), 'utf8'))) ?? '[]';
  return (JSON.parse(text) as { source: string; target: string }[]).map(({ source, target }) => ({
    // Paths in the list are relative to the folder above.
    path: join(native, relative('native', target)),
    target: relative(dirname(target), source),
  }));
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function makeLink({ path, target }: Link): Promise<void> {
  if (await exists(path)) return;
  const broken = await readlink(path).catch(() => undefined);
  if (broken === undefined) {
    try {
      return await symlink(target, path);
    } catch (error) {
      // Another process has just made it.
      if (errorCode(error) === 'EEXIST' && (await exists(path))) return;
      throw error;
    }
  }
  const replacement = `${path}.${randomUUID()}`;
  await symlink(target, replacement);
  try {
    await rename(replacement, path);
  } catch (error) {
    await rm(replacement, { force: true });
    throw error;
  }
}

/**
 * Creates in `native` (the folder with `bin`, `lib` and the package's list of links) what the package's
 * install script and npm may have left out: the symbolic links between the shared libraries, and the
 * permission to execute the programs. It does not change what exists already, so several processes may do it
 * at once.
 *
 * @throws a system error (`EACCES`, `EROFS`, `EPERM`) when something is missing and this process cannot make
 *   it
 */
export async function completeNative(native: string): Promise<void> {
  for (const link of await listLinks(native)) await makeLink(link);
  if (process.platform === 'win32') return;
  for (const name of await readdir(join(native, 'bin'))) {
    const program = join(native, 'bin', name);
    const { mode } = await stat(program);
    if ((mode & 0o111) !== 0o111) await chmod(program, 0o755);
  }
}

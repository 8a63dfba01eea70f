import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

/** An installed package with PostgreSQL's programs. */
export interface PlatformPackage {
  /** Absolute path of its `native` folder, which holds `bin`, `lib` and `share`. */
  readonly native: string;
  /** Version of the package. It begins with PostgreSQL's own version (`18.4.0-beta.17`). */
  readonly version: string;
}

const BUILDS = new Set([
  'darwin-arm64',
  'darwin-x64',
  'linux-arm',
  'linux-arm64',
  'linux-ia32',
  'linux-ppc64',
  'linux-x64',
  'win32-x64',
]);

/**
 * Returns the npm package with PostgreSQL for a platform and architecture as Node.js names them; undefined if
 * there is none.
 */
export function platformPackageName(platform: string, arch: string): string | undefined {
  if (!BUILDS.has(`${platform}-${arch}`)) return undefined;
  return `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
}

/**
 * Returns the error for a machine on which the embedded database does not run. `reason` is a sentence without
 * full stop.
 */
export function unsupported(reason: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The embedded database does not run here: ${reason}. It has builds for Linux (glibc), macOS and Windows. ` +
      'Set DATABASE_URL to a PostgreSQL server of your own, for example postgres://user:password@host:5432/fairlead',
  );
}

/**
 * Returns whether Linux's C library is musl (Alpine).
 *
 * @param libraries names of the files in `/lib`
 * @param report returns Node's diagnostic report, whose header has the version of glibc if that is in use
 */
export function usesMusl(libraries: readonly string[], report: () => unknown): boolean {
  // The report is slow, and a glibc machine rarely has musl's loader.
  if (!libraries.some((name) => name.startsWith('ld-musl-'))) return false;
  const made = report() as { header?: { glibcVersionRuntime?: unknown } } | undefined;
  return made?.header?.glibcVersionRuntime === undefined;
}

function musl(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return usesMusl(readdirSync('/lib'), () => process.report.getReport());
  } catch {
    return false;
  }
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
 * @throws {EmbeddedPostgresError} when there is no build for this machine or its package is not installed
 */
export function locatePlatformPackage(
  platform: string = process.platform,
  arch: string = process.arch,
  isMusl: boolean = musl(),
): PlatformPackage {
  const name = platformPackageName(platform, arch);
  if (name === undefined) throw unsupported(`there is no build for ${platform} on ${arch}`);
  if (isMusl) throw unsupported('this Linux uses musl instead of glibc (as Alpine does)');
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

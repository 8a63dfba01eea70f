import { homedir, tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { majorVersion } from './major-version.js';
import { copyNative } from './native-copy.js';
import { completeNative } from './native-links.js';
import { type PlatformPackage, locatePlatformPackage, unsupported } from './platform-package.js';
import { type ProgramResult, runProgram } from './run-program.js';
import type { ServiceAccount } from './service-account.js';

/** PostgreSQL's programs, as absolute paths that the chosen user can execute. */
export interface NativeBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  /** PostgreSQL's major version (`18`), which the cluster's must equal. */
  readonly major: string;
}

function binariesIn(native: string, version: string): NativeBinaries {
  const program = (name: string): string =>
    join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return {
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
    major: majorVersion(version),
  };
}

/**
 * Returns the folders in which a copy of the programs may be kept, best first, for the user of this process.
 */
export function defaultSharedDirs(): string[] {
  const uid = process.geteuid?.() ?? 0;
  const own = uid === 0 && process.platform !== 'win32';
  const lasting = own
    ? ['/var/cache/fairlead', '/var/lib/fairlead']
    : [join(homedir(), '.cache', 'fairlead')];
  return [...lasting, join(tmpdir(), `fairlead-${uid}`)];
}

async function trial(binaries: NativeBinaries, account: ServiceAccount | undefined): Promise<ProgramResult> {
  return runProgram(binaries.postgres, ['--version'], { cwd: parse(binaries.postgres).root, account });
}

function forbidden(account: ServiceAccount): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `This process runs as root, which PostgreSQL refuses, and it may not start programs as the user ` +
      `"${account.name}" (the container lacks the capability SETUID). Start Fairlead as an ordinary user, ` +
      'or set DATABASE_URL to a PostgreSQL server of your own.',
  );
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
  { native, version }: PlatformPackage = locatePlatformPackage(),
): Promise<NativeBinaries> {
  const inPlace = binariesIn(native, version);
  const problems: string[] = [];
  try {
    await completeNative(native);
    const result = await trial(inPlace, account);
    if (result.code === 0) return inPlace;
    if (account && result.failure === 'EPERM') throw forbidden(account);
    problems.push(`${native}: ${result.output.trim()}`);
    // A copy would fail in the same way, because only the permissions of this user are involved.
    if (!account && result.failure !== 'EACCES') throw unsupported(problems.join('; '));
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    problems.push(`${native}: ${String(error)}`);
  }
  for (const base of sharedDirs) {
    try {
      const copy = await copyNative(
        native,
        base,
        `postgresql-${version}-${process.platform}-${process.arch}`,
      );
      const binaries = binariesIn(copy, version);
      const result = await trial(binaries, account);
      if (result.code === 0) return binaries;
      problems.push(`${copy}: ${result.output.trim()}`);
    } catch (error) {
      problems.push(`${base}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL's programs cannot be run${account ? ` as the user "${account.name}"` : ''}, neither where npm ` +
      `installed them nor from a copy: ${problems.join('; ')}. Install Fairlead in a directory that every user ` +
      'can enter, or set DATABASE_URL to a PostgreSQL server of your own.',
  );
}

import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import type { ServiceAccount } from './service-account.js';

/** The part of a file's status that determines permissions. */
interface Ownership {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

/**
 * Returns whether the permission bits let `account` enter the directory with this status. Access lists are
 * ignored.
 */
export function mayEnter(
  directory: Ownership,
  account: { readonly uid: number; readonly gid: number },
): boolean {
  if (directory.uid === account.uid) return (directory.mode & 0o100) !== 0;
  if (directory.gid === account.gid) return (directory.mode & 0o010) !== 0;
  return (directory.mode & 0o001) !== 0;
}

/** Returns whether `account` can enter `path` (absolute, without symbolic links) and every parent of it. */
export async function canReach(
  path: string,
  account: { readonly uid: number; readonly gid: number },
): Promise<boolean> {
  for (let directory = path; ; directory = dirname(directory)) {
    if (!mayEnter(await stat(directory), account)) return false;
    if (directory === dirname(directory)) return true;
  }
}

/** Linux's name for the working directory of a program. It needs no permission on the directories above. */
const WORKING_DIRECTORY = '/proc/self/cwd';

/**
 * Returns the name by which a program started as `account` in `directory` (absolute, without symbolic links)
 * can open it. This is its path, or Linux's link to the working directory where the user may not enter a
 * directory above.
 *
 * @throws {EmbeddedPostgresError} naming DATA_DIR when the path does not work and there is no such link
 */
export async function reachablePath(
  directory: string,
  account: ServiceAccount | undefined,
  link: string = WORKING_DIRECTORY,
): Promise<string> {
  if (!account || (await canReach(dirname(directory), account))) return directory;
  const linked = await access(link).then(
    () => true,
    () => false,
  );
  if (linked) return link;
  throw new EmbeddedPostgresError(
    `This process runs as root, PostgreSQL must run as the user "${account.name}", and that user may not enter a ` +
      `directory above ${directory}. Set DATA_DIR to a directory that every user can reach (for example ` +
      '/var/lib/fairlead), or start Fairlead as an ordinary user.',
  );
}

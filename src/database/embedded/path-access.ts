import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import type { ServiceAccount } from './service-account.js';

/** The part of a file's status that decides who may do what. */
interface Ownership {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

/** Whether the permission bits let `account` enter the directory with this status (access lists are not seen). */
export function mayEnter(
  directory: Ownership,
  account: { readonly uid: number; readonly gid: number },
): boolean {
  if (directory.uid === account.uid) return (directory.mode & 0o100) !== 0;
  if (directory.gid === account.gid) return (directory.mode & 0o010) !== 0;
  return (directory.mode & 0o001) !== 0;
}

/** Whether `account` can get to `path` (absolute, without symbolic links): may enter it and every parent of it. */
export async function canReach(
  path: string,
  account: { readonly uid: number; readonly gid: number },
): Promise<boolean> {
  for (let directory = path; ; directory = dirname(directory)) {
    if (!mayEnter(await stat(directory), account)) return false;
    if (directory === dirname(directory)) return true;
  }
}

/** Linux's name for a program's working directory, which is found without a look at the directories above. */
const WORKING_DIRECTORY = '/proc/self/cwd';

/**
 * The name by which a program started as `account` in `directory` (absolute, without symbolic links) can open it.
 * That is its path, or Linux's link to the working directory where the user may not enter a directory above.
 *
 * @throws {EmbeddedPostgresError} naming DATA_DIR where there is no such link and the path does not work
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

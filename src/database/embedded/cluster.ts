import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { dataDirectoryError } from './data-directory.js';
import type { DataLayout } from './data-layout.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { errorCode } from '../errors.js';

/** The directory of an existing cluster. */
export interface ClusterInfo {
  readonly uid: number;
  readonly gid: number;
  /** Major version of the PostgreSQL that made the cluster (`18`). */
  readonly major: string;
}

/**
 * Inspects the cluster of a data directory. Returns undefined when there is none yet.
 *
 * @throws {EmbeddedPostgresError} when something else has its name, or this user may not use it
 */
export async function inspectCluster({ cluster }: DataLayout): Promise<ClusterInfo | undefined> {
  try {
    const { uid, gid } = await stat(cluster);
    const user = process.geteuid?.() ?? 0;
    if (process.platform !== 'win32' && user !== 0 && uid !== user) {
      throw new EmbeddedPostgresError(
        `The database in ${cluster} belongs to another user (uid ${uid}; this process is uid ${user}). ` +
          'Start Fairlead as that user, or set DATA_DIR to another directory.',
      );
    }
    const names = await readdir(cluster);
    if (names.length === 0) return undefined;
    if (names.includes('PG_VERSION')) {
      return { uid, gid, major: (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim() };
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error instanceof EmbeddedPostgresError ? error : dataDirectoryError(cluster, error);
  }
  throw new EmbeddedPostgresError(
    `${cluster} holds files but is not a PostgreSQL database (it has no PG_VERSION). ` +
      'Move it away, or set DATA_DIR to another directory.',
  );
}

/**
 * Checks the major version of a cluster.
 * @throws {EmbeddedPostgresError} a final one, when the cluster was made by another major version than that
 *   of the programs
 */
export function requireMajor(cluster: string, found: string, wanted: string): void {
  if (found === wanted) return;
  throw new EmbeddedPostgresError(
    `The database in ${cluster} was made by PostgreSQL ${found}, and this version of Fairlead brings ` +
      `PostgreSQL ${wanted}. Run \`fairlead dump <file>\` with the version of Fairlead that used it, set ` +
      'DATA_DIR to a new directory, and run `fairlead load <file>` with this version (docs/backup.md).',
    { final: true },
  );
}

import { open, stat } from 'node:fs/promises';
import { endianness } from 'node:os';
import { join } from 'node:path';
import type { ClusterFiles } from './data-layout.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { errorCode } from '../errors.js';

/** What tells a directory from another one of the same name. */
export interface DirectoryIdentity {
  readonly dev: number;
  readonly ino: number;
}

/** What tells a cluster from another one in its place. */
export interface ClusterIdentity extends DirectoryIdentity {
  /** The identifier that initdb gave to the cluster. */
  readonly system: string;
}

/** Reads the identifier of the cluster in `directory` from the start of its control file. */
export async function systemIdentifier(directory: string): Promise<string> {
  const handle = await open(join(directory, 'global', 'pg_control'), 'r');
  try {
    const { buffer } = await handle.read(Buffer.alloc(8), 0, 8, 0);
    return (endianness() === 'LE' ? buffer.readBigUInt64LE() : buffer.readBigUInt64BE()).toString();
  } finally {
    await handle.close();
  }
}

/** Identifies the cluster that is in a directory now. @throws a system error when it cannot be read */
export async function identifyCluster({ cluster }: ClusterFiles): Promise<ClusterIdentity> {
  const { dev, ino } = await stat(cluster);
  return { dev, ino, system: await systemIdentifier(cluster) };
}

/**
 * Checks that a cluster is still the one that this process has opened.
 *
 * @throws {EmbeddedPostgresError} a final one, when it was removed or replaced
 * @throws a system error when it cannot be read
 */
export async function requireUnchanged(files: ClusterFiles, opened: ClusterIdentity): Promise<void> {
  let change = 'replaced';
  try {
    const { dev, ino, system } = await identifyCluster(files);
    if (dev === opened.dev && ino === opened.ino && system === opened.system) return;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    change = 'removed';
  }
  throw new EmbeddedPostgresError(
    `The database in ${files.cluster} was ${change} while Fairlead was using it. ` +
      'Put it back, and start Fairlead again.',
    { final: true },
  );
}

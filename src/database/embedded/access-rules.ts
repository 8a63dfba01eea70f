import { open, readFile, rename } from 'node:fs/promises';
import { dataDirectoryError } from './data-directory.js';
import type { ClusterFiles } from './data-layout.js';
import { errorCode } from '../errors.js';
import { USES_SOCKET } from './server-address.js';
import type { ServiceAccount } from './service-account.js';

const RULES = `# Written by Fairlead, which writes it again before a start when it was changed.
${USES_SOCKET ? 'local all all' : 'host all all 127.0.0.1/32'} scram-sha-256
`;

/**
 * Returns whether the cluster has the rules that let roles in by SCRAM only.
 *
 * @throws {EmbeddedPostgresError} when they cannot be read
 */
export async function hasAccessRules({ accessFile }: ClusterFiles): Promise<boolean> {
  try {
    return (await readFile(accessFile, 'utf8')) === RULES;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw dataDirectoryError(accessFile, error);
  }
}

/**
 * Writes the rules of a cluster, all or nothing.
 *
 * @param account owner of the cluster; undefined for the user of this process
 * @throws a system error when they cannot be written
 */
export async function writeAccessRules(
  { accessFile }: ClusterFiles,
  account: ServiceAccount | undefined,
): Promise<void> {
  const unfinished = `${accessFile}.new`;
  const handle = await open(unfinished, 'w', 0o600);
  try {
    if (account) await handle.chown(account.uid, account.gid);
    await handle.writeFile(RULES);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, accessFile);
}

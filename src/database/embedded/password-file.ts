import { randomBytes } from 'node:crypto';
import { link, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataDirectoryError } from './data-directory.js';
import { type DataLayout, UNFINISHED_PREFIX } from './data-layout.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { errorCode } from '../errors.js';

async function readPassword(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim() || undefined;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw dataDirectoryError(file, error);
  }
}

async function createPassword({ root, passwordFile }: DataLayout): Promise<void> {
  const folder = await mkdtemp(join(root, UNFINISHED_PREFIX));
  try {
    const unfinished = join(folder, 'password');
    await writeFile(unfinished, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flush: true });
    try {
      // Unlike a rename, a link never replaces a password that another process has just written.
      await link(unfinished, passwordFile);
    } catch (error) {
      // Some file systems have no links.
      if (errorCode(error) !== 'EEXIST') await rename(unfinished, passwordFile);
    }
  } catch (error) {
    throw dataDirectoryError(passwordFile, error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Reads the password of the service's role, a URL-safe string, from the data directory.
 *
 * @param initialised whether a cluster exists; if not, a missing password is generated and stored
 * @throws {EmbeddedPostgresError} when the file cannot be read or made, or is missing while the cluster
 *   exists
 */
export async function loadPassword(layout: DataLayout, initialised: boolean): Promise<string> {
  const { passwordFile, cluster } = layout;
  const known = await readPassword(passwordFile);
  if (known !== undefined) return known;
  if (!initialised) {
    await rm(passwordFile, { force: true });
    await createPassword(layout);
    const created = await readPassword(passwordFile);
    if (created !== undefined) return created;
  }
  throw new EmbeddedPostgresError(
    `The database in ${cluster} needs its password, and ${passwordFile} is missing or empty. Restore that file ` +
      `(a copy of the data directory has it), or move ${cluster} away to start with an empty database.`,
  );
}

import { setTimeout as delay } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import { dataDirectoryError } from './data-directory.js';
import type { DataLayout } from './data-layout.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { errorCode } from './error-code.js';

/** A lock that its holder has not renewed for this many milliseconds belongs to a process that was killed. */
const STALE_MS = 3_000;
const WAIT_MS = 90_000;
const POLL_MS = 20;

/**
 * Runs `work` while no other process runs its own for the same data directory. The lock spares processes useless
 * work and is not what keeps the data safe: a holder that is suspended loses it, and then PostgreSQL's own lock and
 * the atomic renames of the initialisation decide.
 *
 * @throws {EmbeddedPostgresError} when the lock is not free within 90 seconds, or the directory cannot be written
 */
export async function withDirectoryLock<T>(
  { root, lockFile }: DataLayout,
  log: (message: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const deadline = Date.now() + WAIT_MS;
  let release: (() => Promise<void>) | undefined;
  while (!release) {
    try {
      release = await lock(root, {
        lockfilePath: lockFile,
        stale: STALE_MS,
        update: STALE_MS / 3,
        onCompromised: (error) => log(`The lock ${lockFile} was lost: ${error.message}`),
      });
    } catch (error) {
      if (errorCode(error) !== 'ELOCKED') throw dataDirectoryError(lockFile, error);
      if (Date.now() > deadline) {
        throw new EmbeddedPostgresError(
          `Another process has been starting the database of ${root} (DATA_DIR) for ${WAIT_MS / 1000} seconds. ` +
            `Stop that process; if there is none, delete ${lockFile}.`,
        );
      }
      await delay(POLL_MS);
    }
  }
  try {
    return await work();
  } finally {
    // It fails when the lock was lost.
    await release().catch(() => undefined);
  }
}

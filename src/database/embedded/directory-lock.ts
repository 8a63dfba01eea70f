import type { DataLayout } from './data-layout.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { withHeldLock, type LockOptions } from './held-lock.js';

const STALE_MS = 3_000;
const WAIT_MS = 90_000;

/**
 * Runs `work` while no other process runs its own for the same data directory. The lock avoids useless work;
 * it does not protect the data. A process that is suspended loses the lock. PostgreSQL's own lock and the
 * atomic renames of the initialisation protect the data then.
 *
 * @throws {EmbeddedPostgresError} when the lock is not free within 90 seconds, or the directory cannot be
 *   written
 * @throws the reason of `signal` when it aborts before the lock is taken
 */
export function withDirectoryLock<T>(
  { root, lockFile }: DataLayout,
  options: Pick<LockOptions, 'log' | 'signal'>,
  work: () => Promise<T>,
): Promise<T> {
  const busy = (): Error =>
    new EmbeddedPostgresError(
      `Another process has been starting the database of ${root} (DATA_DIR) for ${WAIT_MS / 1000} seconds. ` +
        `Stop that process; if there is none, delete ${lockFile}.`,
    );
  return withHeldLock({ ...options, path: lockFile, stale: STALE_MS, patience: WAIT_MS, busy }, work);
}

import { setTimeout as delay } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import { dataDirectoryError } from './data-directory.js';
import type { DataLayout } from './data-layout.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { errorCode } from '../error-code.js';

/** Milliseconds without renewal after which a lock counts as that of a killed process. */
const STALE_MS = 3_000;
const WAIT_MS = 90_000;
const POLL_MS = 20;

/** Receives messages, and ends the wait for the lock. */
interface LockOptions {
  readonly log: (message: string) => void;
  /** Ends the wait for the lock when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `work` while no other process runs its own for the same data directory. The lock avoids useless work;
 * it does not protect the data. A process that is suspended loses the lock. PostgreSQL's own lock and the
 * atomic renames of the initialisation protect the data then.
 *
 * @throws {EmbeddedPostgresError} when the lock is not free within 90 seconds, or the directory cannot be
 *   written
 * @throws the reason of `signal` when it aborts before the lock is taken
 */
export async function withDirectoryLock<T>(
  { root, lockFile }: DataLayout,
  { log, signal }: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const deadline = Date.now() + WAIT_MS;
  let release: (() => Promise<void>) | undefined;
  while (!release) {
    signal?.throwIfAborted();
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
    // This fails when the lock was lost.
    await release().catch(() => undefined);
  }
}

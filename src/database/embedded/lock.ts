import { setTimeout as delay } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import { errorCode } from '../errors.js';
import { fileError } from '../files.js';
import { EmbeddedPostgresError } from './data-dir.js';

/** Milliseconds without renewal after which a lock counts as that of a killed process. */
const STALE_MS = 3_000;
const WAIT_MS = 90_000;
const POLL_MS = 20;

/**
 * Runs `work` while no other process runs its own with the same lock. The lock avoids useless work; it does
 * not protect data, because a process that is suspended loses it.
 *
 * @param path absolute path of the lock, in a folder that exists
 * @throws {EmbeddedPostgresError} when the lock is not free within 90 seconds
 * @param options.signal ends the wait for the lock when it aborts
 * @throws Error when it cannot be made; the reason of the signal
 */
export async function withLock<T>(
  path: string,
  { signal }: { readonly signal?: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const end = Date.now() + WAIT_MS;
  let release: (() => Promise<void>) | undefined;
  while (!release) {
    signal?.throwIfAborted();
    try {
      // The package tells the locks of one process apart by what they lock.
      release = await lock(path, {
        lockfilePath: path,
        realpath: false,
        stale: STALE_MS,
        update: STALE_MS / 3,
        // Without it, the package ends the process when the lock was lost.
        onCompromised: () => undefined,
      });
    } catch (error) {
      if (errorCode(error) !== 'ELOCKED') throw fileError(`The lock ${path} cannot be made`, error);
      if (Date.now() > end) {
        throw new EmbeddedPostgresError(
          `Another process has had the lock ${path} for ${WAIT_MS / 1000} seconds, in which it starts the ` +
            'embedded database. Stop that process; if there is none, delete the lock.',
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

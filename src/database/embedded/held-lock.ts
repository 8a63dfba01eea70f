import { setTimeout as delay } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import { errorCode } from '../errors.js';
import { dataDirectoryError } from './data-directory.js';

const POLL = 20;

/** A lock of a data directory, and how long to wait for it. */
export interface LockOptions {
  /** Absolute path of the lock. */
  readonly path: string;
  /** Milliseconds without renewal after which a lock counts as that of a killed process. */
  readonly stale: number;
  /** Milliseconds of the longest wait. */
  readonly patience: number;
  /** Says who may have the lock that is not free. */
  readonly busy: () => Error;
  /** Receives that the lock was lost, as where the process was suspended. */
  readonly log: (message: string) => void;
  /** Ends the wait for the lock when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `work` while no other process holds the lock.
 * @throws the error of `busy` when the lock is not free in time
 * @throws {EmbeddedPostgresError} when the directory cannot be written
 * @throws the reason of `signal` when it aborts before the lock is taken
 */
export async function withHeldLock<T>(
  { path, stale, patience, busy, log, signal }: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const end = Date.now() + patience;
  let release: (() => Promise<void>) | undefined;
  while (!release) {
    signal?.throwIfAborted();
    try {
      // The package tells the locks of one process apart by what they lock.
      release = await lock(path, {
        lockfilePath: path,
        realpath: false,
        stale,
        update: stale / 3,
        onCompromised: (error) => log(`The lock ${path} was lost: ${error.message}`),
      });
    } catch (error) {
      if (errorCode(error) !== 'ELOCKED') throw dataDirectoryError(path, error);
      if (Date.now() > end) throw busy();
      await delay(POLL);
    }
  }
  try {
    return await work();
  } finally {
    // This fails when the lock was lost.
    await release().catch(() => undefined);
  }
}

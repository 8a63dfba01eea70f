import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseUnavailableError } from './database-unavailable.error.js';
import type { Deadline } from './deadline.js';
import { isLockTimeout, isRetryable } from './sqlstate.js';

const ATTEMPTS = 5;

/** Milliseconds after which work that waits for a lock is not rerun any more. */
const LOCK_PATIENCE = 5_000;

/** When work is not rerun any more. */
export interface RerunLimits {
  readonly deadline: Deadline;
  /** Milliseconds that have to be left for another attempt: the longest wait for a connection. */
  readonly reserve: number;
  /** Called with each error of the work. */
  readonly onError: (error: unknown) => void;
}

/**
 * Reruns work that has not happened. After a serialization failure, a deadlock or a lost connection it runs
 * at most five times in all. After too long a wait for a lock, it runs as often as `LOCK_PATIENCE` allows.
 */
export async function rerun<T>(
  work: () => Promise<T>,
  { deadline, reserve, onError }: RerunLimits,
): Promise<T> {
  const started = performance.now();
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      onError(error);
      const isLocked = isLockTimeout(error) && performance.now() - started < LOCK_PATIENCE;
      const isWorthIt = isLocked || (attempt < ATTEMPTS && (isRetryable(error) || hasFailedAlone(error)));
      if (!isWorthIt || deadline.left <= reserve) throw error;
      await delay(Math.random() * 10 * 2 ** Math.min(attempt, ATTEMPTS));
    }
  }
}

/** A server that refuses connections is not asked again. */
function hasFailedAlone(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError && error.isOfConnection;
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Deadline } from './deadline.js';
import { DatabaseUnavailableError } from '../errors.js';
import { isLockTimeout, isRetryable, isUnprepared } from './sqlstate.js';

const ATTEMPTS = 5;

/** Milliseconds after which work that waits for a lock is not rerun any more. */
const LOCK_PATIENCE_MS = 5_000;

/** When work is not rerun any more. */
export interface RetryLimits {
  readonly deadline: Deadline;
  /** Milliseconds that have to be left for another attempt: the longest wait for a connection. */
  readonly reserve: number;
  /** Called with each error of the work. */
  readonly onError: (error: unknown) => void;
}

/**
 * Reruns work that has not happened. After a serialization failure, a deadlock or a lost connection it runs
 * at most five times in all. After too long a wait for a lock, it runs as often as `LOCK_PATIENCE_MS` allows.
 */
export async function retry<T>(
  work: () => Promise<T>,
  { deadline, reserve, onError }: RetryLimits,
): Promise<T> {
  const started = performance.now();
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      onError(error);
      const hasWaited = isLockTimeout(error) || isUnprepared(error);
      const isLocked = hasWaited && performance.now() - started < LOCK_PATIENCE_MS;
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

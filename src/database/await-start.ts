import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from './errors.js';

/** How to wait for a database that does not accept connections yet. */
export interface StartWait {
  /** Milliseconds in which it must do so; 0 does not wait. */
  readonly limit: number;
  /** Receives a message when the wait begins. */
  readonly log?: (message: string) => void;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** Codes of what passes while a database, or the machine or container that it is in, starts. */
const STARTING = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN', // the name server has no answer yet
  'ENOENT', // there is no socket yet
  '57P03', // the database system is starting up
]);

/** What pg says of a connection that a proxy closes because its database is not there. */
const CLOSED = 'Connection terminated unexpectedly';

/** Milliseconds between two attempts. */
const PAUSE = 500;

/**
 * Runs an attempt to connect again and again, as long as it fails because the database is starting.
 * @throws what the last attempt threw: at once where it is another failure, such as a wrong password; or the
 *   reason of `signal`
 */
export async function awaitStart(
  attempt: () => Promise<unknown>,
  { limit, log, signal }: StartWait,
): Promise<void> {
  const end = performance.now() + limit;
  for (let isFirst = true; ; isFirst = false) {
    try {
      await attempt();
      return;
    } catch (error) {
      signal?.throwIfAborted();
      if (!isStarting(error) || performance.now() + PAUSE > end) throw error;
      if (isFirst)
        log?.(`Waiting up to ${Math.round(limit / 1000)} s for the database at DATABASE_URL to start.`);
    }
    await sleep(PAUSE, undefined, signal === undefined ? {} : { signal }).catch(() =>
      signal?.throwIfAborted(),
    );
  }
}

/** A host with several addresses fails with an error for each. */
function isStarting(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isStarting);
  return STARTING.has(errorCode(error) ?? '') || (error instanceof Error && error.message === CLOSED);
}

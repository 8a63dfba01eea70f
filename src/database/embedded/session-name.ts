import { randomBytes } from 'node:crypto';

/**
 * Name of the sessions that hold a server. The lock that they take says whether they use it, so they do not
 * count as users by their name.
 */
export const HOLD_NAME = 'fairlead-hold';

/**
 * Returns a name for all other sessions of one process, by which they are told from those of other processes:
 * `fairlead` and a random number. A session may add a word to it.
 */
export function newSessionName(): string {
  return `fairlead ${randomBytes(4).toString('hex')}`;
}

/**
 * A query for the number of sessions, as `others`, that processes other than the one with the session name $1
 * have.
 */
export const COUNT_OTHERS = `SELECT count(*)::int AS others FROM pg_stat_activity
  WHERE starts_with(application_name, 'fairlead ') AND NOT starts_with(application_name, $1)`;

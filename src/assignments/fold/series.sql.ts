import { GREATEST_ID, LEAST_ID } from '../../database/index.js';

/**
 * A series is the entries of an account's log in the order of their ids: all of them, or those of a router,
 * of a user, or of both. The table `assignment_blocks` divides each series into blocks. `before` is the
 * number of entries of the series before the block, `first_id` the id of its first entry.
 *
 * The tail is the entries that are in no block yet: those after `last_id` of the table `assignment_folds`.
 */

/** The value of `router_id` in a series of all routers. */
export const ANY_ROUTER = `'00000000-0000-0000-0000-000000000000'::uuid`;

/** The value of `user_email` in a series of all users, and of entries that assigned nobody. */
export const ANY_USER = `''`;

/** Less than any id, and no less than any id. */
export const BEFORE_ALL = `'${LEAST_ID}'::uuid`;
export const AFTER_ALL = `'${GREATEST_ID}'::uuid`;

/** SQL expressions that identify a series. */
export interface SeriesKey {
  readonly account: string;
  readonly router: string;
  readonly user: string;
}

/** A condition: the block `b` belongs to the series. */
export const ofSeries = ({ account, router, user }: SeriesKey): string =>
  `b.account_id = ${account} AND b.router_id = ${router} AND b.user_email = ${user}`;

/** The number of entries of a series that are in blocks, or were when they were dropped. */
export const foldedEntries = (series: SeriesKey): string =>
  `COALESCE((SELECT b.before + b.entries FROM assignment_blocks b WHERE ${ofSeries(series)}
      ORDER BY b.before DESC LIMIT 1), 0)`;

/** The number of entries of a series that were dropped. The numbers `before` of blocks count them too. */
export const droppedEntries = ({ account, router, user }: SeriesKey): string =>
  `COALESCE((SELECT s.entries FROM assignment_bases s
      WHERE s.account_id = ${account} AND s.router_id = ${router} AND s.user_email = ${user}), 0)`;

/** The id of the last entry in blocks. */
export const lastFolded = (account: string): string =>
  `COALESCE((SELECT f.last_id FROM assignment_folds f WHERE f.account_id = ${account}), ${BEFORE_ALL})`;

/**
 * A condition: an id is in the tail. Without the upper bound PostgreSQL expects a third of the log there, and
 * reads it as a whole.
 */
export const inTail = (id: string, account: string): string =>
  `${id} > ${lastFolded(account)} AND ${id} <= ${AFTER_ALL}`;

/** The least id of its millisecond, as `firstIdAt` makes it. @param milliseconds SQL: since 1970 */
export const firstIdOf = (milliseconds: string): string =>
  `(lpad(to_hex(least(greatest(${milliseconds}, 0), 281474976710655)), 12, '0') || '70008000000000000000')::uuid`;

/** The milliseconds since 1970 of an instant, without their fraction. */
export const millisecondsOf = (instant: string): string =>
  `floor(extract(epoch FROM ${instant}) * 1000)::bigint`;

/** The milliseconds since 1970 in an id. */
export const millisecondsIn = (id: string): string =>
  `('x' || encode(substring(uuid_send(${id}) FOR 6), 'hex'))::bit(48)::bigint`;

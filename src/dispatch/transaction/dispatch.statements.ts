import { accountVersion } from '../../accounts/index.js';
import { insertAssignments, newAssignments } from '../../assignments/index.js';
import { configurationLock, routerLock, userLock, type Statement } from '../../database/index.js';
import { recordsByIds, setOwners } from '../../records/index.js';
import { ownRotation, storeRotations } from '../rotations/rotations.sql.js';

/**
 * $1 account, $2 router. Keeps the account's configuration from changing (shared with other dispatches) and other
 * dispatches of the router out until the transaction ends. Advisory locks queue fairly and leave nothing on disk.
 *
 * Until the transaction ends, statements run by the plan that was made for all values: PostgreSQL would make a new plan
 * for the few records of a dispatch each time, which takes as long as running it. That plan reads by index even where it
 * was made while a table was small: everything a dispatch reads has an index.
 */
export const LOCK_ROUTER: Statement = {
  name: 'dispatch_lock_router',
  text: `SELECT pg_advisory_xact_lock_shared(${configurationLock('$1')}),
    pg_advisory_xact_lock(${routerLock('$1', '$2')}),
    set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)`,
};

/**
 * $1 account, $2 e-mails. Keeps dispatches by other routers from assigning to these users until the transaction ends:
 * their counts are about to be relied on. Every transaction takes the locks in one order, so that no two deadlock.
 */
export const LOCK_USERS: Statement = {
  name: 'dispatch_lock_users',
  text: `SELECT pg_advisory_xact_lock(key) FROM (
      SELECT DISTINCT ${userLock('$1', 'email')} AS key FROM unnest($2::text[]) AS email ORDER BY 1) AS locks`,
};

const read = (name: string, lock: string): Statement => ({
  name,
  text: `WITH record AS MATERIALIZED (${recordsByIds('$1', '$2')} ${lock})
    SELECT account.config_version, record.*,
      CASE WHEN row_number() OVER () = 1 THEN rotation.state END AS rotation,
      date_trunc('milliseconds', clock_timestamp()) AS at
    FROM (${accountVersion('$1')}) account
    LEFT JOIN (${ownRotation('$1', '$3')}) rotation ON true
    LEFT JOIN record ON true`,
});

/**
 * $1 account, $2 objects, $3 router. All that decisions need, read under the locks: a row for each record that exists, or
 * one row without a record; the router's own rotation in the first row. The records are locked too, in the order of
 * their ids. The clock of a row is read after its record is locked.
 */
export const READ_AND_LOCK: Statement = read('dispatch_read_and_lock', 'FOR UPDATE');

/** As READ_AND_LOCK, without row locks, for simulations. */
export const READ_ONLY: Statement = read('dispatch_read_only', '');

/**
 * Writes the assignments of one router together: owners and their assigned dates, the rotations, and the log.
 * $1 account, $2 router, $3 object type, $4 owner field, $5 assignments as `newAssignments` reads them, $6 instant, $7
 * new rotation states as a JSON array of `{key, state}`, $8 whether the owner field is the type's own, $9 the objects
 * again: PostgreSQL cannot tell how few assignments there are, and reads all records of the type without them.
 */
export const WRITE_ASSIGNMENTS: Statement = {
  name: 'dispatch_write_assignments',
  text: `WITH assignment AS MATERIALIZED (${newAssignments('$5')}),
    owned AS (${setOwners('assignment', {
      account: '$1',
      objectType: '$3',
      ownerField: '$4',
      isTypesOwn: '$8',
      ids: '$9',
      at: '$6',
    })}),
    rotated AS (${storeRotations({ account: '$1', router: '$2', rotations: '$7', at: '$6' })})
    ${insertAssignments('assignment', { account: '$1', router: '$2', objectType: '$3', at: '$6' })}`,
};

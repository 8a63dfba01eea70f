import { accountVersion } from '../../accounts/index.js';
import {
  countEntries,
  insertAssignments,
  insertTraces,
  newAssignments,
  returnAssignments,
} from '../../assignments/index.js';
import { configurationLock, routerLock, userLock, type Statement } from '../../database/index.js';
import { columnsWithin, firstFieldsWithin, recordsByIds, setOwners } from '../../records/index.js';
import { ownRotations, storeRotations } from '../rotations/rotations.sql.js';

/** The configuration's lock comes first. Expressions of a SELECT are evaluated in their order. */
const lock = (name: string, router: string): Statement => ({
  name,
  text: `SELECT pg_advisory_xact_lock_shared(${configurationLock('$1')}), ${router},
    set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)`,
});

/**
 * $1 account, $2 router. Locks the account's configuration (shared with other dispatches) and the router
 * (exclusive) until the transaction ends. Advisory locks are granted in the order of the requests and write
 * nothing to the disk.
 *
 * Until the transaction ends, statements use the generic plan, which is made once for all values. Otherwise
 * PostgreSQL would make a new plan for the few records of each dispatch, which takes as long as running it.
 * The generic plan uses indexes even if it was made while a table was small, because everything that a
 * dispatch reads has an index.
 */
export const LOCK_ROUTER = lock('dispatch_lock_router', `pg_advisory_xact_lock(${routerLock('$1', '$2')})`);

/**
 * $1 account, $2 routers. As LOCK_ROUTER for each of the routers whose lock is free and which nobody waits
 * for, and returns these as `locked`.
 */
export const TRY_ROUTERS = lock(
  'dispatch_try_routers',
  `ARRAY(SELECT router FROM unnest($2::uuid[]) AS router
      WHERE pg_try_advisory_xact_lock(${routerLock('$1', 'router')})) AS locked`,
);

/**
 * $1 account, $2 e-mails. Keeps dispatches by other routers from assigning to these users until the
 * transaction ends, because decisions rely on their counts. Every transaction takes the locks in the same
 * order, so no two deadlock.
 */
export const LOCK_USERS: Statement = {
  name: 'dispatch_lock_users',
  text: `SELECT pg_advisory_xact_lock(key) FROM (
      SELECT DISTINCT ${userLock('$1', 'email')} AS key FROM unnest($2::text[]) AS email ORDER BY 1) AS locks`,
};

const read = (name: string, columns: string, lock: string): Statement => ({
  name,
  text: `WITH record AS MATERIALIZED (${recordsByIds('$1', '$2')} ${lock})
    SELECT account.config_version, ${columns},
      CASE WHEN row_number() OVER () = 1 THEN rotation.states END AS rotations,
      date_trunc('milliseconds', clock_timestamp()) AS at
    FROM (${accountVersion('$1')}) account
    CROSS JOIN (${ownRotations('$1', '$3')}) rotation
    LEFT JOIN record ON true`,
});

const PART = columnsWithin('record', { most: '$4', without: '$5' });

/**
 * $1 account, $2 objects, $3 routers. Reads all that decisions need, under the locks: a row for each record
 * that exists, or one row without a record, with the routers' own rotations in the first row. It locks the
 * records in the order of their ids. The clock of a row is read after its record is locked. `part` has $4
 * bytes and $5 fields that need not be read; a record that may be larger than $4 without those in $5 has no
 * fields.
 */
export const READ_AND_LOCK = {
  whole: read('dispatch_read_and_lock', 'record.*', 'FOR UPDATE'),
  part: read('dispatch_read_part_and_lock', PART, 'FOR UPDATE'),
} as const;

/** As READ_AND_LOCK for the records that nobody has locked. There is no row for the others. */
export const READ_AND_TRY = {
  whole: read('dispatch_read_and_try', 'record.*', 'FOR UPDATE SKIP LOCKED'),
  part: read('dispatch_read_part_and_try', PART, 'FOR UPDATE SKIP LOCKED'),
} as const;

/** As READ_AND_LOCK, without row locks, for simulations. */
export const READ_ONLY = {
  whole: read('dispatch_read_only', 'record.*', ''),
  part: read('dispatch_read_only_part', PART, ''),
} as const;

/** $1 account, $2 objects. Reads the ids of those that exist. */
export const READ_EXISTING: Statement = {
  name: 'dispatch_read_existing',
  text: `SELECT record.id FROM (${recordsByIds('$1', '$2')}) record`,
};

/**
 * $1 account, $2 objects that READ_AND_LOCK has read without their fields, $3 bytes, $4 fields that need not
 * be read. Reads the fields of the first ones, as many as have $3 bytes together.
 */
export const READ_LARGE: Statement = {
  name: 'dispatch_read_large',
  text: firstFieldsWithin('$1', '$2', { most: '$3', without: '$4' }),
};

/**
 * Writes assignments of one transaction that set the same field of the same object type: owners and their
 * assigned dates, the rotations, the log with its traces and counts, and what is returned. $1 account, $2
 * object type, $3 owner field, $4 assignments as `newAssignments` reads them, $5 instant, $6 new rotation
 * states as a JSON array of `{router, key, state}`, $7 the objects again, $8 and $9 the ids of
 * `returnAssignments`. Without $7, PostgreSQL cannot estimate the number of assignments and reads all records
 * of the type.
 */
export const WRITE_ASSIGNMENTS: Statement = {
  name: 'dispatch_write_assignments',
  text: `WITH assignment AS MATERIALIZED (${newAssignments('$4')}),
    owned AS (${setOwners('assignment', {
      account: '$1',
      objectType: '$2',
      ownerField: '$3',
      ids: '$7',
      at: '$5',
    })}),
    rotated AS (${storeRotations({ account: '$1', rotations: '$6', at: '$5' })}),
    traced AS (${insertTraces('assignment', '$1')}),
    counted AS (${countEntries('assignment', '$1')}),
    returned AS (${returnAssignments({ account: '$1', ids: '$8', owed: '$9', at: '$5' })})
    ${insertAssignments('assignment', { account: '$1', objectType: '$2', at: '$5' })}`,
};

import { homeId, homeRow, lockedAccount } from '../../accounts/index.js';
import {
  countEntries,
  insertAssignments,
  insertTraces,
  newAssignments,
  returnAssignments,
} from '../../assignments/index.js';
import { butOnCluster, onCluster, type Statement } from '../../database/index.js';
import { existingIds, recordsByIds, setOwners } from '../../records/index.js';

/**
 * Lets the transaction wait for the account for as long as a process that has vanished may hold it: one that
 * gives up and comes again is behind all others.
 *
 * Until the transaction ends, statements use the generic plan, which is made once for all values. Otherwise
 * PostgreSQL would make a new plan for the few records of each dispatch, which takes as long as running it.
 * The generic plan uses indexes even if it was made while a table was small, because everything that a
 * dispatch reads has an index.
 */
export const DISPATCH_SETTINGS = {
  lock_timeout: '4s',
  plan_cache_mode: 'force_generic_plan',
} as const;

/**
 * $1 account. Locks the account until the transaction ends, and returns the version of its configuration.
 * There is no row for an account that does not exist.
 */
export const LOCK_ACCOUNT: Statement = {
  name: 'dispatch_lock_account',
  text: lockedAccount('$1'),
};

/** $1 account, $2 objects. Waits for the records and locks them in the order of their ids. */
export const LOCK_RECORDS: Statement = {
  name: 'dispatch_lock_records',
  text: `SELECT record.id FROM (${recordsByIds('$1', '$2')} FOR UPDATE) record`,
};

/** $1 account, $2 objects. Reads the ids of those that exist. */
export const READ_EXISTING: Statement = { name: 'dispatch_read_existing', text: existingIds('$1', '$2') };

/** The states of the routers' own rotations by router, of those that gave a turn. */
const OWN_ROTATIONS = `SELECT json_object_agg(rotation.router_id, rotation.state) AS states FROM rotations rotation
    WHERE rotation.account_id = $1 AND rotation.router_id = ANY ($3::uuid[]) AND rotation.key = ''`;

const read = (name: string, lock: string): Statement => ({
  name,
  text: `WITH record AS MATERIALIZED (${recordsByIds('$1', '$2', '$4')} ${lock})
    SELECT record.*, CASE WHEN row_number() OVER () = 1 THEN rotation.states END AS rotations,
      (extract(epoch FROM clock_timestamp()) * 1000000)::float8 AS microseconds
    FROM (${OWN_ROTATIONS}) rotation LEFT JOIN record ON true`,
});

/**
 * $1 account, $2 objects, $3 routers, $4 fields that need not be read. Reads all that decisions need: a row
 * for each record that exists and that nobody else has locked, or one row without a record, with the routers'
 * own rotations in the first row. It locks the records. The clock of a row is read after its record is
 * locked.
 */
export const READ_AND_LOCK = read('dispatch_read_and_lock', 'FOR UPDATE SKIP LOCKED');

/** As READ_AND_LOCK, without row locks, for simulations. */
export const READ_ONLY = read('dispatch_read_only', '');

/**
 * A cluster would keep the assignments for the other parts in a transaction of another session of the node:
 * each part reads them for itself there.
 */
const GIVEN = `${butOnCluster('assignment')}${onCluster(`(${newAssignments('$4')})`)}`;

/** @param returned SQL of the part that returns assignments */
const writeAssignments = (name: string, returned = ''): Statement => ({
  name,
  text: `WITH ${butOnCluster(`assignment AS MATERIALIZED (${newAssignments('$4')}),`)}
    owned AS (${setOwners(GIVEN, {
      account: '$1',
      objectType: '$2',
      ownerField: '$3',
      at: '$5',
    })}),
    rotated AS (INSERT INTO rotations (account_id, router_id, key, state, updated_at)
      SELECT ${homeId('$1')}, rotation.router, rotation.key, rotation.state, $5
      FROM jsonb_to_recordset($6::jsonb) AS rotation (router uuid, key text, state jsonb) ${homeRow('$1')}
      ON CONFLICT (account_id, router_id, key)
        DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at),
    traced AS (${insertTraces(GIVEN, '$1')}),
    counted AS (${countEntries(GIVEN, '$1')})${returned},
    logged AS (${insertAssignments(GIVEN, { account: '$1', objectType: '$2', at: '$5' })})
    SELECT`,
});

/**
 * Writes assignments of one transaction that set the same field of the same object type: owners and their
 * assigned dates, the rotations, the log with its traces and counts. $1 account, $2 object type, $3 owner
 * field, $4 assignments as `newAssignments` reads them, $5 instant, $6 new rotation states as a JSON array of
 * `{router, key, state}`.
 */
export const WRITE_ASSIGNMENTS = writeAssignments('dispatch_write_assignments');

const RETURNED = `,
    returned AS (${returnAssignments({ account: '$1', ids: '$7', owed: '$8', at: '$5' })})`;

/** As WRITE_ASSIGNMENTS, and what is returned: $7 and $8 are the ids of `returnAssignments`. */
export const WRITE_AND_RETURN = writeAssignments('dispatch_write_and_return', RETURNED);

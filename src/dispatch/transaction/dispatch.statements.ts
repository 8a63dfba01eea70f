import { atAccount } from '../../accounts/index.js';
import { returnAssignments, writeAssignments, type NewAssignment } from '../../assignments/index.js';
import {
  butOnCluster,
  InsertedRows,
  onCluster,
  type ClusterSending,
  type Statement,
} from '../../database/index.js';
import {
  awaitRecords,
  existingIds,
  lockRecords,
  recordsByIds,
  setOwners,
  type NewOwner,
} from '../../records/index.js';

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
 * $1 account, $2 objects in the order of their ids, $3 the type of each. Waits for the records and locks them
 * in that order.
 */
export const LOCK_RECORDS: Statement = {
  name: 'dispatch_lock_records',
  text: awaitRecords({ account: '$1', ids: '$2', objectTypes: '$3' }),
  cluster: { each: [2, 3] },
};

/** $1 account, $2 objects. Reads the ids and the types of those that exist. */
export const READ_EXISTING: Statement = { name: 'dispatch_read_existing', text: existingIds('$1', '$2') };

/** The states of the routers' own rotations by router, of those that gave a turn. */
const OWN_ROTATIONS = `json_object_agg(rotation.router_id, rotation.state)`;
const FROM_ROTATIONS = `FROM rotations rotation
    WHERE rotation.account_id = $1 AND rotation.router_id = ANY ($3::uuid[]) AND rotation.key = ''`;

const microseconds = (instant: string): string =>
  `(extract(epoch FROM ${instant}) * 1000000)::float8 AS microseconds`;

/** What a cluster reads behind the records. Of one statement, it plans anew what is volatile. */
const BESIDE: readonly Statement[] = [
  { name: 'dispatch_read_rotations', text: `SELECT ${OWN_ROTATIONS} AS rotations ${FROM_ROTATIONS}` },
  {
    name: 'dispatch_read_clock',
    text: `SELECT ${microseconds('statement_timestamp()')} ${atAccount('$1')}`,
  },
];

const read = (name: string, records: string, cluster: ClusterSending = {}): Statement => ({
  name,
  text: `${butOnCluster(`WITH record AS MATERIALIZED (${records})
      SELECT record.*, CASE WHEN row_number() OVER () = 1 THEN rotation.states END AS rotations,
        ${microseconds('clock_timestamp()')}
      FROM (SELECT ${OWN_ROTATIONS} AS states ${FROM_ROTATIONS}) rotation LEFT JOIN record ON true`)}
      ${onCluster(records)}`,
  cluster: { ...cluster, beside: BESIDE, isOuter: true },
});

/**
 * $1 account, $2 objects, $3 routers, $4 fields that need not be read, $5 the type of the objects. Reads all
 * that decisions need: a row for each record that exists and that nobody else has locked, or one row without
 * a record, with the routers' own rotations in the first row, on a cluster in each. It locks the records. The
 * clock of a row is read after its record is locked.
 */
export const READ_AND_LOCK = read(
  'dispatch_read_and_lock',
  lockRecords({ account: '$1', objectType: '$5', ids: '$2', without: '$4' }),
  { each: [2] },
);

/** As READ_AND_LOCK, without $5 and without row locks, for simulations: records of any type. */
export const READ_ONLY = read('dispatch_read_only', recordsByIds('$1', '$2', '$4'));

/** A rotation that has moved. */
interface MovedRotation {
  readonly router_id: string;
  readonly key: string;
  readonly state: unknown;
}

/** What one transaction writes. */
export interface NewAssignments {
  readonly account: string;
  readonly objectType: string;
  readonly at: Date;
  /** By record, of those that get an owner. */
  readonly owners: Readonly<Record<string, NewOwner>>;
  readonly rotations: readonly MovedRotation[];
  readonly assignments: readonly NewAssignment[];
  /** Ids of assignments, as `returnAssignments` has them. */
  readonly returned: readonly string[];
  readonly owed: readonly string[];
}

/** The parts of a write by name, each a statement for itself on a cluster. */
type Parts = Readonly<Record<string, Omit<Statement, 'name'>>>;

const GIVEN = { account: '$1', objectType: '$2', at: '$3' };
const ROTATED = new InsertedRows(6, { router_id: 'uuid', key: 'text', state: 'jsonb' });
const WRITTEN = writeAssignments(GIVEN, ROTATED.next);

const PARTS: Parts = {
  owned: { text: setOwners({ ...GIVEN, owners: '$4', ids: '$5' }), cluster: { each: [4, 5] } },
  rotated: {
    text: `INSERT INTO rotations (account_id, updated_at, ${ROTATED.names}) VALUES ($1, $3, ${ROTATED.values})
      ON CONFLICT (account_id, router_id, key) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at`,
  },
  ...WRITTEN.parts,
};
const RETURNED = returnAssignments({ ...GIVEN, ids: `$${WRITTEN.next}`, owed: `$${WRITTEN.next + 1}` });

const writing = (name: string, parts: Parts): Statement => ({
  name,
  text: `WITH ${Object.entries(parts)
    .map(([part, { text }]) => `${part} AS (${text})`)
    .join(',\n    ')} SELECT`,
  cluster: {
    steps: Object.entries(parts).map(([part, how]) => ({ name: `dispatch_write_${part}`, ...how })),
  },
});

/** What `writeOf` sends where nothing is returned. */
export const WRITE_ASSIGNMENTS = writing('dispatch_write_assignments', PARTS);
/** As WRITE_ASSIGNMENTS, with what is returned. */
export const WRITE_AND_RETURN = writing('dispatch_write_and_return', {
  ...PARTS,
  returned: { text: RETURNED },
});

/**
 * What writes the assignments of one transaction that set the same field of the same object type, with its
 * values: owners and their assigned dates, the rotations, the log with its traces and counts, and what is
 * returned. Most return nothing, and a part of a statement that changes no row takes a tenth of its time.
 */
export function writeOf(written: NewAssignments): [Statement, readonly unknown[]] {
  const { account, objectType, at, owners, rotations, assignments, returned, owed } = written;
  const newOwners = Object.values(owners).map((owner) => JSON.stringify(owner));
  const values: readonly unknown[] = [
    account,
    objectType,
    at,
    newOwners,
    Object.keys(owners),
    ...ROTATED.arraysOf(rotations),
    ...WRITTEN.valuesOf(assignments),
  ];
  return returned.length === 0
    ? [WRITE_ASSIGNMENTS, values]
    : [WRITE_AND_RETURN, [...values, returned, owed]];
}

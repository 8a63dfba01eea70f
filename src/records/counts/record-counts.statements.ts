import { accountVersion, homeId, homeRow } from '../../accounts/index.js';
import { butOnCluster, countLock, onCluster, type Statement } from '../../database/index.js';

/** The counter of the active records of each owner by the type's own owner field. */
export const OWNER = 'owner';

/** The counters that every type has; the first two count all records. */
const OF_EVERY_TYPE = `'{active,archived,${OWNER}}'::text[]`;

const OF_TYPE = 'account_id = $1 AND object_type = $2';

/** What was folded, and what waits for that. */
const TABLES = ['record_counts', 'record_count_changes'];

const counted = (counters: string, owners: string): string =>
  `${OF_TYPE} AND counter = ANY (${counters}) AND owner = ANY (${owners})`;

/**
 * Counts of $1 account and $2 object type, exact in their snapshot: rows `counter, owner, n`. What goes to a
 * node of a cluster calls no function that reads tables.
 */
const countsOf = (counters: string, owners: string): string => {
  const read = TABLES.map(
    (table) => `SELECT counter, owner, n FROM ${table} WHERE ${counted(counters, owners)}`,
  );
  return `${butOnCluster(`counts_of($1, $2, ${counters}, ${owners})`)}${onCluster(`(${read.join(' UNION ALL ')}) AS counts`)}`;
};

const ALL = { active: `'{active}'`, all: `'{active,archived}'` };

/** An expression: the number of records of $1 account and $2 object type, exact in its snapshot. */
export const countRecords = (active: boolean): string =>
  `(SELECT COALESCE(sum(n), 0)::int FROM ${countsOf(ALL[active ? 'active' : 'all'], `'{""}'`)})`;

const readCount = (of: keyof typeof ALL): Statement[] =>
  TABLES.map((table, index) => ({
    name: `${table}_read_${of}`,
    text: `SELECT COALESCE(sum(n), 0)::int AS ${index === 0 ? 'count' : 'uncounted'} FROM ${table}
      WHERE ${counted(ALL[of], `'{""}'`)}`,
  }));

/** `countRecords` by a statement for each table, in one snapshot: `count`, to which `uncounted` is added. */
export const READ_COUNT = { active: readCount('active'), all: readCount('all') };

/** How many records each account has, without the changes of the last seconds: rows `account_id, n`. */
export const recordsOfAccounts = `SELECT account_id, sum(n) AS n FROM record_counts
    WHERE counter IN ('active', 'archived') AND owner = '' GROUP BY account_id`;

/** The accounts that have changes. */
export const FIND_CHANGED: Statement = {
  name: 'record_counts_find_changed',
  text: 'SELECT DISTINCT account_id AS "accountId" FROM record_count_changes',
};

/**
 * $1 most changes, $2 an account, for a cluster. Folds changes into the counts. Returns how many. Others that
 * do the same take other changes, and wait for each other's counts in the order of their keys.
 */
export const FOLD: Statement = {
  name: 'record_counts_fold',
  text: `WITH change AS (
      DELETE FROM record_count_changes WHERE ${onCluster('account_id = $2 AND')} ctid = ANY (ARRAY(
        SELECT ctid FROM record_count_changes ${onCluster('WHERE account_id = $2')} LIMIT $1 FOR UPDATE SKIP LOCKED))
      RETURNING account_id, object_type, counter, owner, n
    ), folded AS (
      INSERT INTO record_counts AS c (account_id, object_type, counter, owner, n)
      SELECT account_id, object_type, counter, owner, sum(n) FROM change GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
      ON CONFLICT ON CONSTRAINT record_counts_pkey DO UPDATE SET n = c.n + excluded.n
    )
    SELECT count(*)::int AS folded FROM change`,
};

/**
 * $1 account, $2 configuration version. A row where the account has that version, which nobody changes until
 * the transaction ends.
 */
export const LOCK_VERSION: Statement = {
  name: 'record_counters_lock_version',
  text: `${accountVersion('$1')} AND a.config_version = $2 FOR SHARE`,
};

/** The counters that an account needs: $2, a JSON array. */
const NEEDED = `jsonb_to_recordset($2::jsonb)
        AS n (object_type text, counter text, owner_field text, having_field text, having_values text[])`;

/** Deletes from a table of counts, or of changes, what no counter of the account needs. */
const deleteUnneeded = (table: string): string => `DELETE FROM ${table} k
      WHERE k.account_id = $1 AND k.counter <> ALL (${OF_EVERY_TYPE}) AND NOT EXISTS (
        SELECT FROM ${NEEDED} WHERE n.object_type = k.object_type AND n.counter = k.counter)`;

/** $1 account, $2 as of NEEDED. Drops the other counters with their counts. */
export const DROP_COUNTERS: Statement = {
  name: 'record_counters_drop',
  text: `WITH dropped AS (${deleteUnneeded('record_counters')}), counts AS (${deleteUnneeded('record_counts')})
    ${deleteUnneeded('record_count_changes')}`,
};

/** $1 account, $2 as of NEEDED. Adds those of the counters that are missing. */
export const ADD_COUNTERS: Statement = {
  name: 'record_counters_add',
  text: `INSERT INTO record_counters (account_id, object_type, counter, owner_field, having_field, having_values)
    SELECT ${homeId('$1::uuid')}, n.* FROM ${NEEDED} ${homeRow('$1')} ON CONFLICT DO NOTHING`,
};

/** A condition: the counter is new, and all transactions have ended that may not know it. */
const IS_KNOWN = `NOT is_ready AND known_from < pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

/** Returns the types of accounts that have new counters. */
export const FIND_NEW: Statement = {
  name: 'record_counters_find_new',
  text: `SELECT DISTINCT account_id AS "accountId", object_type AS "objectType" FROM record_counters
    WHERE NOT is_ready`,
};

/** What a node says of its transactions: a cluster would call a function without columns on another node. */
const nodes = (name: string, plain: string): string =>
  `${butOnCluster(plain)}${onCluster(`${name}(account_id)`)}`;
const TRANSACTION = nodes('node_transaction', 'pg_current_xact_id()::text::bigint');
const NEXT_TRANSACTION = nodes(
  'node_next_transaction',
  'pg_snapshot_xmax(pg_current_snapshot())::text::bigint',
);

/**
 * $1 account, $2 object type. Notes for new counters a transaction id, such that all with this or a later one
 * know them. A noted id that is still to come is that of another server, which has taken the place of the
 * first.
 */
export const NOTE_NEW: Statement = {
  name: 'record_counters_note_new',
  text: `UPDATE record_counters SET known_from = ${TRANSACTION}
    WHERE ${OF_TYPE} AND NOT is_ready AND (known_from IS NULL OR known_from >= ${NEXT_TRANSACTION})`,
};

/** $1 account, $2 object type. The new counters that all transactions know, and nobody else counts for. */
export const LOCK_NEW: Statement = {
  name: 'record_counters_lock_new',
  text: `WITH mine AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${countLock('$1::uuid', '$2::text')}) AS taken)
    SELECT counter FROM record_counters, mine WHERE ${OF_TYPE} AND ${IS_KNOWN} AND mine.taken`,
};

/**
 * Waits for another repair, which would add the same. It is no query, so that the snapshot of the transaction
 * is taken behind it. Nobody else waits for this lock but a vacuum of this small table.
 */
export const LOCK: Statement = {
  name: 'record_counters_lock',
  text: 'LOCK TABLE record_counters IN SHARE UPDATE EXCLUSIVE MODE',
};

/** $1 account, $2 object type. All counters that are ready. */
export const FIND_READY: Statement = {
  name: 'record_counters_find_ready',
  text: `SELECT unnest(${OF_EVERY_TYPE}) AS counter
    UNION ALL SELECT counter FROM record_counters WHERE ${OF_TYPE} AND is_ready`,
};

/** What counters_of returns for a record `r`: a cluster calls no function of SQL that reads tables. */
const COUNTERS_OF = `${butOnCluster('counters_of(r.account_id, r.object_type, r.archived_at, r.owner, r.fields)')}${onCluster(`(
      VALUES (CASE WHEN r.archived_at IS NULL THEN 'active' ELSE 'archived' END, ''),
        ('owner', CASE WHEN r.archived_at IS NULL THEN r.owner END)
      UNION ALL
      SELECT counter, r.fields ->> owner_field FROM record_counters
        WHERE r.archived_at IS NULL AND ${OF_TYPE}
          AND (having_field IS NULL OR r.fields ->> having_field = ANY (having_values)))`)}`;

/**
 * $1 account, $2 object type, $3 counters, $4 an id, $5 most records. Counts the first records behind the id.
 * Returns a row for each counter and owner, and one without them, which has the id of the last record in
 * `last`, unless there is none.
 */
export const COUNT_PAGE: Statement = {
  name: 'record_counts_count_page',
  text: `WITH page AS MATERIALIZED (
      SELECT * FROM records WHERE ${OF_TYPE} AND id > $4 ORDER BY id LIMIT $5
    )
    SELECT c.counter, c.owner, count(*)::int AS n, NULL::uuid AS last
    FROM page r
    CROSS JOIN LATERAL ${COUNTERS_OF} AS c (counter, owner)
    WHERE c.owner IS NOT NULL AND c.counter = ANY ($3::text[])
    GROUP BY 1, 2
    UNION ALL (SELECT NULL, NULL, 0, id FROM page ORDER BY id DESC LIMIT 1)`,
};

/**
 * What counters lack of the truth: rows `counter, owner, lacking`. $1 account, $2 object type, $3 counters,
 * $4 the truth of this snapshot, as a JSON array of `counter, owner, n`.
 */
const LACKING = `SELECT counter, owner, sum(n)::bigint AS lacking
    FROM (
      SELECT * FROM jsonb_to_recordset($4::jsonb) AS truth (counter text, owner text, n bigint)
      UNION ALL
      SELECT counter, owner, -n FROM record_counts WHERE ${OF_TYPE} AND counter = ANY ($3::text[])
      UNION ALL
      SELECT counter, owner, -n FROM record_count_changes WHERE ${OF_TYPE} AND counter = ANY ($3::text[])
    ) AS difference
    GROUP BY counter, owner HAVING sum(n) <> 0`;

/** Parameters of LACKING. Returns how many counts are wrong, and how many were compared. */
export const COMPARE: Statement = {
  name: 'record_counts_compare',
  text: `SELECT (SELECT count(*) FROM (${LACKING}) AS lacking)::int AS wrong,
    (SELECT count(*) FROM record_counts WHERE ${OF_TYPE} AND counter = ANY ($3::text[]))::int AS compared`,
};

/** Parameters of LACKING. One row: `lacking`, a JSON array of its rows; null for none. */
export const FIND_LACKING: Statement = {
  name: 'record_counts_find_lacking',
  text: `SELECT jsonb_agg(to_jsonb(found))::text AS lacking FROM (${LACKING}) AS found`,
};

/** $1 account, $2 object type, $3 what FIND_LACKING has found. Writes it as changes. */
export const ADD_LACKING: Statement = {
  name: 'record_counts_add_lacking',
  text: `INSERT INTO record_count_changes (account_id, object_type, counter, owner, n)
    SELECT $1::uuid, $2::text, change.*
    FROM jsonb_to_recordset($3::jsonb) AS change (counter text, owner text, lacking bigint)`,
};

/** $1 account, $2 object type, $3 counters, which are exact. */
export const MAKE_READY: Statement = {
  name: 'record_counters_make_ready',
  text: `UPDATE record_counters SET is_ready = true WHERE ${OF_TYPE} AND counter = ANY ($3::text[]) AND NOT is_ready`,
};

/**
 * $1 account, $2 object type, $3 owners, $4 counter. Counts the active records of owners, who are missing
 * where they have none. A row without an owner says that the counter is ready; the others count only then.
 */
export const COUNT_OWNED: Statement = {
  name: 'record_count_owned',
  text: `SELECT owner AS email, sum(n)::int AS count
    FROM (
      SELECT owner, n FROM ${countsOf('ARRAY[$4::text]', '$3::text[]')}
      UNION ALL
      SELECT NULL, 0 WHERE $4 = '${OWNER}'
        OR EXISTS (SELECT FROM record_counters WHERE ${OF_TYPE} AND counter = $4 AND is_ready)
    ) AS counted
    GROUP BY owner HAVING sum(n) <> 0 OR owner IS NULL`,
};

import { countsLock, type Statement } from '../../database/index.js';
import { COUNTED_UNTIL, NOT_COUNTED } from './record-counts.sql.js';

/** The counter of all records by the type's own owner field. */
export const OWN_OWNER = '00000000-0000-0000-0000-000000000000';

/** The types of accounts with rows in a table of changes, found one after the other in its index. */
const changedTypes = (table: string): string => `WITH RECURSIVE type AS (
    (SELECT account_id, object_type FROM ${table} ORDER BY account_id, object_type LIMIT 1)
    UNION ALL
    SELECT behind.account_id, behind.object_type FROM type CROSS JOIN LATERAL (
      SELECT c.account_id, c.object_type FROM ${table} c
      WHERE (c.account_id, c.object_type) > (type.account_id, type.object_type)
      ORDER BY c.account_id, c.object_type LIMIT 1) AS behind
  ) SELECT account_id, object_type FROM type`;

/** $1 most rows. The types of accounts with changes that wait. */
export const FIND_CHANGED: Statement = {
  name: 'record_counts_find_changed',
  text: `SELECT * FROM (${changedTypes('owned_count_changes')}) AS owned
    UNION SELECT * FROM (${changedTypes('record_block_changes')}) AS blocks LIMIT $1`,
};

/** $1 account. Returns whether this transaction may change the counts of the account. */
export const TRY_LOCK: Statement = {
  name: 'record_counts_try_lock',
  text: `SELECT pg_try_advisory_xact_lock(${countsLock('$1')}) AS locked`,
};

/**
 * $1 account, $2 object type, $3 most changes. Adds changes to the counts of owners. Returns how many. It
 * names the rows by their place: PostgreSQL expects none in a table that is empty most of the time, and would
 * look for each row anew.
 */
export const ADD_OWNED: Statement = {
  name: 'record_counts_add_owned',
  text: `WITH change AS (
      DELETE FROM owned_count_changes WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM owned_count_changes WHERE account_id = $1 AND object_type = $2 LIMIT $3))
      RETURNING counter, owner, n
    ), added AS (
      INSERT INTO owned_counts AS c (account_id, object_type, counter, owner, n)
      SELECT $1::uuid, $2::text, counter, owner, sum(n) FROM change GROUP BY counter, owner
      ON CONFLICT ON CONSTRAINT owned_counts_pkey DO UPDATE SET n = c.n + excluded.n
    )
    SELECT count(*)::int AS added FROM change`,
};

/**
 * $1 account, $2 object type, $3 most changes. Adds changes of records to their blocks. Those of records
 * behind the blocks stay. Returns how many.
 */
export const ADD_CHANGES: Statement = {
  name: 'record_counts_add_changes',
  text: `WITH change AS (
      DELETE FROM record_block_changes WHERE ctid = ANY (ARRAY(
        SELECT c.ctid FROM ${COUNTED_UNTIL}
        JOIN record_block_changes c ON c.account_id = $1 AND c.object_type = $2 AND c.record_id < blocks.end_id
        LIMIT $3))
      RETURNING record_id, total, archived
    ), sums AS (
      SELECT block.first_id, sum(change.total)::int AS total, sum(change.archived)::int AS archived
      FROM change CROSS JOIN LATERAL (SELECT first_id FROM record_blocks
        WHERE account_id = $1 AND object_type = $2 AND first_id <= change.record_id
        ORDER BY first_id DESC LIMIT 1) AS block
      GROUP BY block.first_id
    ), added AS (
      UPDATE record_blocks b SET total = b.total + sums.total, archived = b.archived + sums.archived FROM sums
      WHERE b.account_id = $1 AND b.object_type = $2 AND b.first_id = sums.first_id
    )
    SELECT count(*)::int AS added FROM change`,
};

/**
 * $1 account, $2 object type, $3 the first id that may still be given to a record, $4 records of a full
 * block. Counts the records behind the last block into it, or into a new one when it is full. The changes of
 * these records that wait are taken off, because they are added later. Returns whether more can be counted.
 */
export const EXTEND_BLOCKS: Statement = {
  name: 'record_counts_extend_blocks',
  text: `WITH last AS (
      SELECT first_id, total, end_id FROM record_blocks WHERE account_id = $1 AND object_type = $2
      ORDER BY first_id DESC LIMIT 1
    ), place AS (
      SELECT blocks.end_id AS start, COALESCE(last.total < $4::int, false) AS extends,
        CASE WHEN last.total < $4::int THEN $4::int - last.total ELSE $4::int END AS room
      FROM ${COUNTED_UNTIL} LEFT JOIN last ON true
    ), page AS MATERIALIZED (
      SELECT r.id, r.archived_at IS NOT NULL AS is_archived, row_number() OVER (ORDER BY r.id) AS n
      FROM place CROSS JOIN LATERAL (
        SELECT id, archived_at FROM records, (SELECT place.start AS end_id) AS blocks
        WHERE account_id = $1 AND object_type = $2 AND ${NOT_COUNTED} AND id < $3
        ORDER BY id LIMIT place.room + 1) AS r
    ), found AS (
      SELECT place.start, place.extends, COALESCE((array_agg(page.id) FILTER (WHERE page.n > place.room))[1], $3) AS end_id,
        count(*) FILTER (WHERE page.n <= place.room) AS total,
        count(*) FILTER (WHERE page.n <= place.room AND page.is_archived) AS archived,
        COALESCE(bool_or(page.n > place.room), false) AS more
      FROM place LEFT JOIN page ON true WHERE place.start < $3 GROUP BY place.start, place.extends
    ), waiting AS (
      SELECT COALESCE(sum(c.total), 0) AS total, COALESCE(sum(c.archived), 0) AS archived
      FROM found JOIN record_block_changes c ON c.account_id = $1 AND c.object_type = $2
        AND c.record_id >= found.start AND c.record_id < found.end_id
    ), extended AS (
      UPDATE record_blocks b SET end_id = found.end_id, total = b.total + found.total - waiting.total,
        archived = b.archived + found.archived - waiting.archived
      FROM found, waiting, last
      WHERE found.extends AND b.account_id = $1 AND b.object_type = $2 AND b.first_id = last.first_id
    ), added AS (
      INSERT INTO record_blocks (account_id, object_type, first_id, end_id, total, archived)
      SELECT $1::uuid, $2::text, found.start, found.end_id, found.total - waiting.total,
        found.archived - waiting.archived
      FROM found, waiting WHERE NOT found.extends
    )
    SELECT more FROM found`,
};

/** What the counts of owners lack of the truth, by owner, in one snapshot. */
const WRONG_OWNED = `SELECT owner, sum(n)::int AS lacking
    FROM (
      SELECT owner, count(*) AS n FROM records
        WHERE account_id = $1 AND object_type = $2 AND archived_at IS NULL AND owner IS NOT NULL GROUP BY owner
      UNION ALL
      SELECT owner, -n FROM owned_counts WHERE account_id = $1 AND object_type = $2 AND counter = '${OWN_OWNER}'
      UNION ALL
      SELECT owner, -n FROM owned_count_changes
        WHERE account_id = $1 AND object_type = $2 AND counter = '${OWN_OWNER}'
    ) AS difference
    GROUP BY owner HAVING sum(n) <> 0`;

/** The same of the blocks. */
const WRONG_BLOCKS = `SELECT b.first_id, (found.total - changed.total)::int - b.total AS lacking,
      (found.archived - changed.archived)::int - b.archived AS lacking_archived
    FROM record_blocks b
    CROSS JOIN LATERAL (SELECT count(*) AS total, count(r.archived_at) AS archived FROM records r
      WHERE r.account_id = $1 AND r.object_type = $2 AND r.id >= b.first_id AND r.id < b.end_id) AS found
    CROSS JOIN LATERAL (SELECT COALESCE(sum(c.total), 0) AS total, COALESCE(sum(c.archived), 0) AS archived
      FROM record_block_changes c
      WHERE c.account_id = $1 AND c.object_type = $2 AND c.record_id >= b.first_id AND c.record_id < b.end_id)
      AS changed
    WHERE b.account_id = $1 AND b.object_type = $2
      AND (b.total <> found.total - changed.total OR b.archived <> found.archived - changed.archived)`;

/** $1 account, $2 object type. The rows that FIND_WRONG_OWNED and FIND_WRONG_BLOCKS compare. */
export const COUNT_COUNTED: Statement = {
  name: 'record_counts_count_counted',
  text: `SELECT ((SELECT count(*) FROM owned_counts WHERE account_id = $1 AND object_type = $2 AND counter = '${OWN_OWNER}')
    + (SELECT count(*) FROM record_blocks WHERE account_id = $1 AND object_type = $2))::int AS rows`,
};

/** $1 account, $2 object type. No row where the counts of all owners are right. */
export const FIND_WRONG_OWNED: Statement = {
  name: 'record_counts_find_wrong_owned',
  text: WRONG_OWNED,
};

/** $1 account, $2 object type. No row where all blocks are right. */
export const FIND_WRONG_BLOCKS: Statement = {
  name: 'record_counts_find_wrong_blocks',
  text: WRONG_BLOCKS,
};

/** $1 account, $2 object type. Writes what the counts of owners lack as changes. */
export const REPAIR_OWNED: Statement = {
  name: 'record_counts_repair_owned',
  text: `INSERT INTO owned_count_changes (account_id, object_type, counter, owner, n)
    SELECT $1::uuid, $2::text, '${OWN_OWNER}', owner, lacking FROM (${WRONG_OWNED}) AS wrong`,
};

/** $1 account, $2 object type. Writes what the blocks lack as changes. */
export const REPAIR_BLOCKS: Statement = {
  name: 'record_counts_repair_blocks',
  text: `INSERT INTO record_block_changes (account_id, object_type, record_id, total, archived)
    SELECT $1::uuid, $2::text, first_id, lacking, lacking_archived FROM (${WRONG_BLOCKS}) AS wrong`,
};

/** What a counter, $4, has of owners, $3: their counts, and the changes that wait to be added to these. */
export const COUNTED_OF_OWNERS = `SELECT owner, n FROM owned_counts
        WHERE account_id = $1 AND object_type = $2 AND counter = $4 AND owner = ANY ($3::text[])
      UNION ALL
      SELECT owner, n FROM owned_count_changes
        WHERE account_id = $1 AND object_type = $2 AND counter = $4 AND owner = ANY ($3::text[])`;

/**
 * $1 account, $2 object type, $3 owners, $4 counter. Counts the active records of owners, who are missing
 * where they have none.
 */
export const COUNT_OWNED: Statement = {
  name: 'record_count_owned',
  text: `SELECT owner AS email, sum(n)::int AS count FROM (${COUNTED_OF_OWNERS}) AS counted
    GROUP BY owner HAVING sum(n) <> 0`,
};

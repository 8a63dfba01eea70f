import type { Statement } from '../../database/index.js';

/** $1 account, $2 object type, $3 field. Adds the index of the last change, where there is none. */
export const NEED_CHANGED: Statement = {
  name: 'record_indexes_need_changed',
  text: `INSERT INTO record_indexes (account_id, object_type, field, kind) VALUES ($1, $2, $3, 'changed')
    ON CONFLICT DO NOTHING`,
};

/** $1 most rows. The indexes that are to be built or cleared. */
export const FIND_OPEN: Statement = {
  name: 'record_indexes_find_open',
  text: `SELECT account_id, id, object_type, field, dropped_at IS NOT NULL AS is_dropped FROM record_indexes
    WHERE dropped_at IS NOT NULL OR NOT is_ready ORDER BY account_id, id LIMIT $1`,
};

/**
 * $1 account, $2 index, $3 records. Adds the keys of the next records that were there before the index, and
 * makes it ready behind the last. Returns whether it is; no row where it is no longer to be built, or another
 * process is at it. A key that a trigger has added stays. One that a trigger has just deleted may come back,
 * which no reader minds.
 */
export const BUILD_INDEX: Statement = {
  name: 'record_indexes_build',
  text: `WITH i AS (
      SELECT * FROM record_indexes WHERE account_id = $1 AND id = $2 AND NOT is_ready AND dropped_at IS NULL
      FOR UPDATE SKIP LOCKED
    ), page AS MATERIALIZED (
      SELECT r.id, r.archived_at, record_index_key(i.kind, r.fields ->> i.field, r.updated_at) AS key
      FROM i CROSS JOIN LATERAL (
        SELECT id, archived_at, fields, updated_at FROM records
        WHERE account_id = $1 AND object_type = i.object_type AND id > i.built_to ORDER BY id LIMIT $3) AS r
    ), added AS (
      INSERT INTO record_index_keys (account_id, index_id, key, record_id)
      SELECT $1::uuid, $2::integer, key, id FROM page WHERE archived_at IS NULL ON CONFLICT DO NOTHING
    ), last AS (
      SELECT (array_agg(id ORDER BY id DESC))[1] AS id, count(*) < $3 AS is_last FROM page
    )
    UPDATE record_indexes u SET built_to = COALESCE(last.id, u.built_to), is_ready = last.is_last
    FROM i, last WHERE u.account_id = i.account_id AND u.id = i.id RETURNING u.is_ready`,
};

/**
 * $1 account, $2 index, $3 keys. Deletes keys of an index that was dropped. Returns whether that were all.
 */
export const CLEAR_INDEX: Statement = {
  name: 'record_indexes_clear',
  text: `WITH i AS (
      SELECT account_id, id FROM record_indexes WHERE account_id = $1 AND id = $2 AND dropped_at IS NOT NULL
      FOR UPDATE SKIP LOCKED
    ), cleared AS (
      DELETE FROM record_index_keys WHERE ctid = ANY (ARRAY(
        SELECT k.ctid FROM i JOIN record_index_keys k ON k.account_id = i.account_id AND k.index_id = i.id LIMIT $3))
      RETURNING 1
    ), deleted AS (
      DELETE FROM record_indexes d USING i
      WHERE d.account_id = i.account_id AND d.id = i.id AND (SELECT count(*) FROM cleared) < $3
      RETURNING 1
    )
    SELECT EXISTS (SELECT FROM deleted) AS is_ready FROM i`,
};

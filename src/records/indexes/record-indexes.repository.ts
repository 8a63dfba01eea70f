import { Injectable } from '@nestjs/common';
import { Database, LEAST_ID, type Statement } from '../../database/index.js';
import type { RecordType } from '../record-key.js';
import { CHANGED_AT } from '../records.sql.js';

/** An index that is to be built or, where it was dropped, to be cleared. */
export interface OpenIndex extends RecordType {
  readonly id: number;
  readonly field: string;
  readonly isDropped: boolean;
}

/** The field whose index no configuration asks for, but searches do. It has archived records, too. */
export const UPDATED_AT = 'updated_at';

/**
 * $1 account, $2 object type, $3 field. Adds the index of the last change, or notes
 * that it is used today.
 */
const ASK_UPDATED_AT: Statement = {
  name: 'record_indexes_ask',
  text: `INSERT INTO record_indexes AS i (account_id, object_type, field, kind, used_on)
    VALUES ($1, $2, $3, 'changed', CURRENT_DATE)
    ON CONFLICT (account_id, object_type, field) WHERE dropped_at IS NULL
    DO UPDATE SET used_on = CURRENT_DATE WHERE i.used_on < CURRENT_DATE`,
};

/** Drops indexes of the last change that no search could use for a week: each is a row for every write. */
const DROP_UNUSED: Statement = {
  name: 'record_indexes_drop_unused',
  text: `UPDATE record_indexes SET dropped_at = now(), built_to = NULL
    WHERE used_on < CURRENT_DATE - 7 AND dropped_at IS NULL`,
};

/** $1 the id from which indexes are built. Begins those that were switched since the last look. */
const BEGIN: Statement = {
  name: 'record_indexes_begin',
  text: 'UPDATE record_indexes SET built_to = $1 WHERE built_to IS NULL AND (dropped_at IS NOT NULL OR NOT is_ready)',
};

/** $1 most rows. The indexes that are to be built or cleared. */
const FIND_OPEN: Statement = {
  name: 'record_indexes_find_open',
  text: `SELECT account_id AS "accountId", id, object_type AS "objectType", field,
      dropped_at IS NOT NULL AS "isDropped", built_to IS NULL AS "isNew" FROM record_indexes
    WHERE dropped_at IS NOT NULL OR NOT is_ready ORDER BY account_id, id LIMIT $1`,
};

/**
 * Whether every transaction has ended that may have written a record without knowing what an index is now: it
 * had its id before the one that began the index.
 */
const IS_KNOWN = `(built_to > '${LEAST_ID}' OR
        age(xmin) > age(pg_snapshot_xmin(pg_current_snapshot())::xid))`;

/**
 * $1 account, $2 index, $3 records. Adds the keys of the next records that were there before the index, and
 * makes it ready behind the last. Returns whether it is; no row where it is not to be built now, or another
 * process is at it. A key that a trigger has added stays. One that a trigger has just deleted may come back,
 * which no reader minds.
 */
const BUILD: Statement = {
  name: 'record_indexes_build',
  text: `WITH i AS (
      SELECT * FROM record_indexes
      WHERE account_id = $1 AND id = $2 AND NOT is_ready AND dropped_at IS NULL AND ${IS_KNOWN}
      FOR UPDATE SKIP LOCKED
    ), page AS MATERIALIZED (
      SELECT r.id, r.archived_at IS NULL OR i.kind = 'changed' AS is_in,
        record_key(i.kind, r.fields ->> i.field, ${CHANGED_AT}) AS key
      FROM i CROSS JOIN LATERAL (
        SELECT id, archived_at, fields, updated_at FROM records
        WHERE account_id = $1 AND object_type = i.object_type AND id > i.built_to ORDER BY id LIMIT $3) AS r
    ), added AS (
      INSERT INTO record_index_keys (account_id, index_id, key, record_id)
      SELECT $1::uuid, $2::integer, key, id FROM page WHERE is_in ON CONFLICT DO NOTHING
    ), last AS (
      SELECT (array_agg(id ORDER BY id DESC))[1] AS id, count(*) < $3 AS is_last FROM page
    )
    UPDATE record_indexes u SET built_to = COALESCE(last.id, u.built_to), is_ready = last.is_last
    FROM i, last WHERE u.account_id = i.account_id AND u.id = i.id RETURNING u.is_ready AS "isDone"`,
};

/** $1 account, $2 index, $3 keys. Deletes keys of a dropped index. Returns whether that were all. */
const CLEAR: Statement = {
  name: 'record_indexes_clear',
  text: `WITH i AS (
      SELECT account_id, id FROM record_indexes
      WHERE account_id = $1 AND id = $2 AND dropped_at IS NOT NULL AND ${IS_KNOWN}
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
    SELECT EXISTS (SELECT FROM deleted) AS "isDone" FROM i`,
};

/** Most indexes that are looked for at once. */
const MOST = 1_000;

/** Builds and clears indexes of fields. */
@Injectable()
export class RecordIndexesRepository {
  constructor(private readonly database: Database) {}

  /** Adds the index of `updated_at` of a type, or notes that it is used. */
  async askUpdatedAt({ accountId, objectType }: RecordType): Promise<void> {
    await this.database.query(ASK_UPDATED_AT, [accountId, objectType, UPDATED_AT]);
  }

  /** Drops the indexes of `updated_at` that no search has asked for in a week. */
  async dropUnused(): Promise<void> {
    await this.database.query(DROP_UNUSED, []);
  }

  /** Returns indexes that are to be built or cleared, of any account. */
  async findOpen(): Promise<OpenIndex[]> {
    const rows = await this.database.query<OpenIndex & { readonly isNew: boolean }>(FIND_OPEN, [MOST]);
    if (rows.some(({ isNew }) => isNew)) await this.database.query(BEGIN, [LEAST_ID]);
    return rows;
  }

  /**
   * Does the next part of an index, in a transaction of its own.
   * @returns whether nothing more is to be done here: it is ready or gone, it is not known to all yet, or
   *   another process is at it
   */
  advance({ accountId, id, isDropped }: OpenIndex, most: number): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const [row] = await tx.query<{ isDone: boolean }>(isDropped ? CLEAR : BUILD, [accountId, id, most]);
      return row?.isDone !== false;
    });
  }
}

import { Injectable } from '@nestjs/common';
import { Database, LEAST_ID, onCluster, type Statement } from '../../database/index.js';
import type { RecordType } from '../record-key.js';
import { CHANGED_AT } from '../records.sql.js';

/** How the keys of an index are made: of texts, numbers, instants, or the instant of the last change. */
export type IndexKind = 'text' | 'number' | 'instant' | 'changed';

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
    DO UPDATE SET used_on = excluded.used_on WHERE i.used_on < excluded.used_on`,
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
 * $1 account, $2 index. Locks it until the transaction ends. No row where it is not to be built or cleared
 * now, or another process is at it.
 */
const LOCK_OPEN: Statement = {
  name: 'record_indexes_lock_open',
  text: `SELECT object_type AS "objectType", field, kind, built_to AS "builtTo", dropped_at IS NOT NULL AS "isDropped"
    FROM record_indexes
    WHERE account_id = $1 AND id = $2 AND (dropped_at IS NOT NULL OR NOT is_ready) AND ${IS_KNOWN}
    FOR UPDATE SKIP LOCKED`,
};

/** $1 account, $2 object type, $3 an id, $4 records. The last of so many behind the id; null for none. */
const FIND_PAGE: Statement = {
  name: 'record_indexes_find_page',
  text: `SELECT (array_agg(id ORDER BY id DESC))[1] AS last, count(*) < $4 AS "isLast"
    FROM (SELECT id FROM records WHERE account_id = $1 AND object_type = $2 AND id > $3 ORDER BY id LIMIT $4) AS page`,
};

/**
 * $1 account, $2 index, $3 object type, $4 kind, $5 field, $6 the id behind which the page begins, $7 that of
 * its last record. Adds the keys of the records. A key that a trigger has added stays. One that a trigger has
 * just deleted may come back, which no reader minds.
 */
const ADD_KEYS: Statement = {
  name: 'record_indexes_add_keys',
  text: `INSERT INTO record_index_keys (account_id, index_id, key, record_id)
    SELECT r.account_id, $2::integer, record_key($4, r.fields ->> $5::text, ${CHANGED_AT}), r.id FROM records r
    WHERE r.account_id = $1 AND r.object_type = $3 AND r.id > $6 AND r.id <= $7
      AND (r.archived_at IS NULL OR $4::text = 'changed')
    ON CONFLICT DO NOTHING`,
};

/** $1 account, $2 index, $3 the last record that has its key, $4 whether all have it. */
const NOTE_PAGE: Statement = {
  name: 'record_indexes_note_page',
  text: 'UPDATE record_indexes SET built_to = $3, is_ready = $4 WHERE account_id = $1 AND id = $2',
};

/** $1 account, $2 index, $3 keys. Deletes keys. */
const CLEAR: Statement = {
  name: 'record_indexes_clear',
  text: `DELETE FROM record_index_keys WHERE ${onCluster('account_id = $1 AND')} ctid = ANY (ARRAY(
      SELECT ctid FROM record_index_keys WHERE account_id = $1 AND index_id = $2 LIMIT $3)) RETURNING 1`,
};

/** $1 account, $2 index. Deletes the index. */
const DELETE: Statement = {
  name: 'record_indexes_delete',
  text: 'DELETE FROM record_indexes WHERE account_id = $1 AND id = $2',
};

/** What LOCK_OPEN returns. */
interface LockedIndex extends Omit<OpenIndex, 'accountId' | 'id'> {
  readonly kind: IndexKind;
  readonly builtTo: string;
}

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
   * Does the next part of an index, in a transaction. @returns whether nothing more is to be done here: it is
   * ready or gone, it is not known to all yet, or another process is at it
   */
  advance({ accountId, id }: OpenIndex, most: number): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const place = [accountId, id] as const;
      const [index] = await tx.query<LockedIndex>(LOCK_OPEN, place);
      if (index === undefined) return true;
      const { objectType, field, kind, builtTo, isDropped } = index;
      if (isDropped) {
        const isDone = (await tx.query(CLEAR, [...place, most])).length < most;
        if (isDone) await tx.query(DELETE, place);
        return isDone;
      }
      const values = [accountId, objectType, builtTo, most];
      const [page] = await tx.query<{ last: string | null; isLast: boolean }>(FIND_PAGE, values);
      const { last = null, isLast = true } = page ?? {};
      if (last !== null) await tx.query(ADD_KEYS, [...place, objectType, kind, field, builtTo, last]);
      await tx.query(NOTE_PAGE, [...place, last ?? builtTo, isLast]);
      return isLast;
    });
  }
}

import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { clientName, memberName } from '../../auth/index.js';
import { onCluster, type Database, type Queryable, type Statement } from '../../database/index.js';
import { renamedUsers } from '../../directory/index.js';
import { fittingRows, PAGE_BYTES } from '../../paging/index.js';
import { routerName } from '../../routers/index.js';
import type { Renamed } from '../record-view.js';
import type { RecordKey } from '../record-key.js';

/** A change of a field among those of its record. */
export interface ChangePlace {
  /** Microseconds since 1970. */
  readonly us: string;
  readonly field: string;
}

/** A change of one field, as clients see it (contract section 7), but for the e-mails of users. */
export interface ChangeView {
  readonly field: string;
  /** The value before; null for none. Only `archived` has booleans. */
  readonly from: string | boolean | null;
  readonly to: string | boolean | null;
  readonly at: string;
  readonly by: { readonly kind: string; readonly id: string | null; readonly name: string | null };
  readonly assignment_id: string | null;
  readonly request_id: string | null;
}

/** Which changes of a record a page has. */
export interface HistoryRange {
  /** Changes of other fields are not shown. */
  readonly fields: readonly string[];
  /** The change behind which it starts. */
  readonly behind: ChangePlace | undefined;
  /** Changes before it are not shown. */
  readonly since: Date | undefined;
  readonly limit: number;
}

/** A page of changes. */
export interface ChangePage {
  readonly changes: readonly ChangeView[];
  /** The last of them, where more follow. */
  readonly end: ChangePlace | undefined;
  readonly renamed: Renamed;
}

/** A change, with its microseconds since 1970; null for both where there is none. */
type Row = ChangePlace & { readonly change: ChangeView; readonly renamed: Renamed };

/** The most bytes that a change has in the answer, its values apart. */
const BYTES_PER_CHANGE = 1024;

/** The instant of the change behind which a page starts, and its field. */
const BEHIND = `COALESCE('epoch'::timestamptz + $5::bigint * interval '1 microsecond', 'infinity')`;

/** The least instant of a page. */
const SINCE = `COALESCE($7::timestamptz, '-infinity')`;

const isBehind = (at: string): string =>
  `(${at} < ${BEHIND} OR entry.key COLLATE "C" > $6::text) AND entry.key = ANY ($4::text[])`;

const ORDER = 'ORDER BY at DESC, key COLLATE "C"';

/**
 * The changes of the record in the order of a page. The bounds are of whole keys, so that the one index is
 * left that has them. What is read of each comes in that order, and no more is read than a page has.
 */
const CHANGES = `SELECT * FROM record_changes c
          WHERE ${onCluster('c.account_id = $1 AND')} (c.account_id, c.record_id, c.at) >= ($1, $3, ${SINCE})
            AND (c.account_id, c.record_id, c.at) <= ($1, $3, ${BEHIND})
          ORDER BY c.account_id DESC, c.record_id DESC, c.at DESC OFFSET 0`;

/**
 * $1 account, $2 object type, $3 record, $4 fields, $5 microseconds since 1970 and $6 field of
 * the change behind which the page starts, or null, $7 the least instant or null, $8 most rows, $9 bytes
 * after which no other row is read. Returns no row where there is no such record, and one without a field
 * where there is no change. The creation of a record that was not changed since is read from the record.
 */
export const LIST_CHANGES: Statement = {
  name: 'record_history_list',
  text: `WITH record AS MATERIALIZED (
      SELECT r.created_at, r.fields, r.changed_by,
        r.created_at = r.updated_at AND r.archived_at IS NULL AND r.changed_by ->> 'kind' <> 'off'
          AND NOT EXISTS (SELECT FROM record_changes c
            WHERE c.account_id = $1 AND c.record_id = $3 AND c.at = r.created_at) AS is_new
      FROM records r WHERE r.account_id = $1 AND r.object_type = $2 AND r.id = $3
    ),
    change AS (
      (SELECT c.at, c.by_kind, c.by_id, c.assignment_id, c.request_id, entry.key, entry.value
        FROM (${CHANGES}) AS c
        CROSS JOIN LATERAL (SELECT entry.* FROM jsonb_each(c.changes) AS entry WHERE ${isBehind('c.at')}
          ORDER BY entry.key COLLATE "C") AS entry
        LIMIT $8)
      UNION ALL
      (SELECT record.created_at AS at, record.changed_by ->> 'kind', (record.changed_by ->> 'id')::uuid, NULL,
          record.changed_by ->> 'request', entry.key,
          jsonb_build_array(NULL, entry.value)
        FROM record CROSS JOIN LATERAL jsonb_each(record.fields) AS entry
        WHERE record.is_new AND record.created_at BETWEEN ${SINCE} AND ${BEHIND} AND ${isBehind('record.created_at')}
        ${ORDER} LIMIT $8)
    ),
    sized AS (
      SELECT change.*, sum(octet_length(value::text)) OVER (${ORDER}) - octet_length(value::text) AS bytes_before
        FROM change
    )
    SELECT sized.key AS field, (extract(epoch FROM sized.at) * 1000000)::bigint::text AS us,
      CASE WHEN sized.key IS NOT NULL THEN json_build_object('field', sized.key, 'from', sized.value -> 0,
        'to', sized.value -> 1, 'at', iso_utc(sized.at), 'by', json_build_object('kind', sized.by_kind,
          'id', sized.by_id, 'name', CASE sized.by_kind WHEN 'client' THEN ${clientName('$1', 'sized.by_id')}
            WHEN 'user' THEN ${memberName('$1', 'sized.by_id')}
            WHEN 'router' THEN ${routerName('$1', 'sized.by_id')} ELSE sized.by_kind END),
        'assignment_id', sized.assignment_id, 'request_id', sized.request_id) END AS change,
      CASE WHEN row_number() OVER (${ORDER}) = 1 THEN ${renamedUsers('$1')} END AS renamed
    FROM record LEFT JOIN sized ON sized.bytes_before <= $9::bigint
    ${ORDER} LIMIT $8`,
};

/** $1 an instant. The accounts with changes before it. */
const FIND_OLD: Statement = {
  name: 'record_history_drop_accounts',
  text: 'SELECT DISTINCT account_id AS "accountId" FROM record_changes WHERE at < $1::timestamptz',
};

/**
 * $1 an instant, $2 most, $3 an account, for a cluster. Deletes changes before the instant, the oldest first,
 * but for those that others delete.
 */
const DROP_CHANGES: Statement = {
  name: 'record_history_drop',
  text: `WITH old AS (
      SELECT account_id, record_id, at FROM record_changes
      WHERE ${onCluster('account_id = $3 AND')} at < $1::timestamptz
      ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED
    )
    DELETE FROM record_changes c USING old
      WHERE ${onCluster('c.account_id = $3 AND')} c.account_id = old.account_id AND c.record_id = old.record_id AND c.at = old.at
      RETURNING c.at`,
};

/** Reads and deletes changes of records. A trigger writes them. */
@Injectable()
export class RecordHistoryRepository {
  /**
   * One page of changes of a record, newest first, those of one instant by their fields; undefined for no
   * record. It ends early where its values would exceed PAGE_BYTES.
   */
  async list(
    db: Queryable,
    { accountId }: AccountContext,
    { objectType, id, fields, behind, since, limit }: RecordKey & HistoryRange,
  ): Promise<ChangePage | undefined> {
    const place = [behind?.us ?? null, behind?.field ?? null];
    const bounds = [since ?? null, limit + 1, PAGE_BYTES];
    const values = [accountId, objectType, id, fields, ...place, ...bounds];
    const found = await db.query<Row>(LIST_CHANGES, values);
    const [first] = found;
    if (first === undefined) return undefined;
    const all = found.filter(({ field }: { field: string | null }) => field !== null);
    const rows = fittingRows(all, ({ change }) => bytesOf(change)).slice(0, limit);
    const end = rows.length < all.length ? rows.at(-1) : undefined;
    return { changes: rows.map(({ change }) => change), end, renamed: first.renamed };
  }

  /** Deletes changes before an instant. @returns how many */
  async drop(db: Database, before: Date, limit: number): Promise<number> {
    return (await db.sweep(DROP_CHANGES, [before, limit], [FIND_OLD, before])).length;
  }
}

function bytesOf({ from, to }: ChangeView): number {
  return BYTES_PER_CHANGE + Buffer.byteLength(JSON.stringify([from, to]));
}

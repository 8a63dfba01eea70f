import { ASSIGNED_DATE_SUFFIX } from '../fields/index.js';
import { routedBy } from './history/write-authors.js';

/**
 * Fragments of SQL for statements on the table `records`, also for other rooms. Parameters are SQL
 * expressions.
 */

const columnsWith = (fields: string): string =>
  `r.id, r.object_type, ${fields}, r.archived_at, r.archived_by, r.created_at, r.updated_at`;

/** The columns of a StoredRecord, of a table called `r`. */
export const RECORD_COLUMNS = columnsWith('r.fields');

/** These columns, without some of the fields: a text[] of names. */
export const columnsWithout = (fields: string): string =>
  columnsWith(`r.fields - ${fields}::text[] AS fields`);

/**
 * The version of a record, of a table called `r`: microseconds since 1970 of its last change. Each statement
 * that changes a record makes it greater (`laterThanChange`).
 */
export const RECORD_VERSION = '(extract(epoch FROM COALESCE(r.archived_at, r.updated_at)) * 1000000)::bigint';

/** These columns with the version of the record. */
export const versioned = (columns: string): string => `${columns}, ${RECORD_VERSION} AS version`;

/** The columns of a StoredRecord with its version. */
export const VERSIONED_COLUMNS = versioned(RECORD_COLUMNS);

/** An instant, or just after the last change of a record `r`, where that is later. */
export const laterThanChange = (instant: string): string =>
  `GREATEST(${instant}, r.updated_at + interval '1 microsecond', r.archived_at + interval '1 microsecond')`;

/** The most bytes of JSON for a byte of stored text: a control character is written as \u0001. */
export const JSON_BYTES_PER_BYTE = 6;

/** Which fields of a record are read. */
interface FieldsRead {
  /** The most bytes that they may have as JSON text. */
  readonly most: string;
  /** A text[] of names of fields that are left out, of a record that is not small. */
  readonly without: string;
}

/** Bytes of fields that are stored in the row itself, and that nothing is left out of. */
const SMALL = 2_000;

/**
 * The columns of a StoredRecord, of a relation of records. `fields` is null for a record whose fields may
 * have more than `most` bytes as JSON text. `-` decompresses a value, so that its size is that of what it
 * holds; a value that is large while it is compressed, and stays whole, is not decompressed.
 */
export const columnsWithin = (record: string, { most, without }: FieldsRead): string => {
  const fields = `${record}.fields`;
  const rest = `(${fields} - ${without}::text[])`;
  const fits = (value: string): string =>
    `pg_column_size(${value}) * ${JSON_BYTES_PER_BYTE}::bigint <= ${most}::int`;
  return `${record}.id, ${record}.object_type, ${record}.archived_at, ${record}.archived_by,
    ${record}.created_at, ${record}.updated_at,
    CASE WHEN pg_column_size(${fields}) <= ${SMALL} AND pg_column_compression(${fields}) IS NULL THEN ${fields}
      WHEN (cardinality(${without}::text[]) > 0 OR ${fits(fields)}) AND ${fits(rest)} THEN ${rest} END AS fields`;
};

/**
 * The first of the records of a uuid[] of ids, in its order, whose fields have no more than `most` bytes of
 * JSON text together: one record at least. It reads one after the other and stops there. Every record must
 * exist. The columns are `id` and `fields`, of which the last row may have none.
 */
export const firstFieldsWithin = (account: string, ids: string, { most, without }: FieldsRead): string =>
  `WITH RECURSIVE part AS (
      SELECT 0 AS n, NULL::uuid AS id, NULL::text AS fields, 0::bigint AS bytes
      UNION ALL
      SELECT part.n + 1, record.id, record.text, part.bytes + octet_length(record.text)
        FROM part
        CROSS JOIN LATERAL (SELECT r.id, (r.fields - ${without}::text[])::text AS text
          FROM (${recordsByIds(account, `ARRAY[(${ids}::uuid[])[part.n + 1]]`)}) r OFFSET 0) record
        WHERE part.bytes < ${most}::int
    )
    SELECT id, CASE WHEN n = 1 OR bytes <= ${most}::int THEN fields::json END AS fields
      FROM part WHERE n > 0 ORDER BY n`;

/** The name of a user field's assigned date. */
const assignedDate = (field: string): string => `${field}::text || '${ASSIGNED_DATE_SUFFIX}'`;

/**
 * The assigned dates named in a text[], all with one value, as an object to merge into `fields`. This is no
 * subquery, because statements mention it many times and a subquery costs at each mention.
 */
export const assignedDates = (names: string, at: string): string =>
  `jsonb_object(${names}::text[], array_fill(iso_utc(${at}), ARRAY[cardinality(${names}::text[])]))`;

/** Records of any type by a uuid[] of ids, in the order of the ids. */
export const recordsByIds = (account: string, ids: string): string =>
  `SELECT ${RECORD_COLUMNS} FROM records r
    WHERE r.account_id = ${account} AND r.id = ANY (${ids}::uuid[])
      AND r.object_type = ANY ('{contacts,companies,deals,tickets}')
    ORDER BY r.id`;

/**
 * Sets an owner field and its assigned date for each row of a relation with the columns `object_id` and
 * `user`; `by`, what WriteAuthors says of the router; and `id`, the assignment. A row without a user changes
 * nothing.
 */
export const setOwners = (
  relation: string,
  p: Readonly<Record<'account' | 'objectType' | 'ownerField' | 'ids' | 'at', string>>,
): string =>
  `UPDATE records r SET
      fields = r.fields || jsonb_build_object(${p.ownerField}::text, ${relation}."user",
        ${assignedDate(p.ownerField)}, iso_utc(${p.at})),
      changed_by = ${routedBy(`${relation}.by`, `${relation}.id`)},
      updated_at = ${laterThanChange(p.at)}
    FROM ${relation}
    WHERE ${relation}."user" IS NOT NULL AND r.account_id = ${p.account} AND r.object_type = ${p.objectType}
      AND r.id = ANY (${p.ids}::uuid[]) AND r.id = ${relation}.object_id`;

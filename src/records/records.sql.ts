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
  columnsWith(
    `CASE WHEN ${fields}::text[] = '{}' THEN r.fields ELSE r.fields - ${fields}::text[] END AS fields`,
  );

/** The last change of a record `r`, its archiving included: what answers have as `updated_at`. */
export const CHANGED_AT = 'COALESCE(r.archived_at, r.updated_at)';

/**
 * The version of a record, of a table called `r`: microseconds since 1970 of its last change. Each statement
 * that changes a record makes it greater (`laterThanChange`).
 */
export const RECORD_VERSION = `(extract(epoch FROM ${CHANGED_AT}) * 1000000)::bigint`;

/** These columns with the version of the record. */
export const versioned = (columns: string): string => `${columns}, ${RECORD_VERSION} AS version`;

/** The columns of a StoredRecord with its version. */
export const VERSIONED_COLUMNS = versioned(RECORD_COLUMNS);

/** An instant, or just after the last change of a record `r`, where that is later. */
export const laterThanChange = (instant: string): string =>
  `GREATEST(${instant}, r.updated_at + interval '1 microsecond', r.archived_at + interval '1 microsecond')`;

/** The most bytes of JSON for a byte of stored text: a control character is written as \u0001. */
export const JSON_BYTES_PER_BYTE = 6;

/** The name of a user field's assigned date. */
const assignedDate = (field: string): string => `${field}::text || '${ASSIGNED_DATE_SUFFIX}'`;

/**
 * The assigned dates named in a text[], all with one value, as an object to merge into `fields`. This is no
 * subquery, because statements mention it many times and a subquery costs at each mention.
 */
export const assignedDates = (names: string, at: string): string =>
  `jsonb_object(${names}::text[], array_fill(iso_utc(${at}), ARRAY[cardinality(${names}::text[])]))`;

/**
 * Records of any type by a uuid[] of ids, in the order of the ids.
 * @param without a text[] of the names of fields that are left out
 */
export const recordsByIds = (account: string, ids: string, without = "'{}'"): string =>
  `SELECT ${columnsWithout(without)} FROM records r
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

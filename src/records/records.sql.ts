import { atKey, butOnCluster, onCluster, unknownWhenPlanned } from '../database/index.js';
import { assignedDateOf } from '../fields/index.js';

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

/** A write of a cluster computes with columns by what is immutable: so are instants without a time zone. */
const IN_UTC = ` ${onCluster(`AT TIME ZONE 'UTC'`)}`;

/**
 * The version of a record, of a table called `r`: microseconds since 1970 of its last change. Each statement
 * that changes a record makes it greater (`laterThanChange`).
 */
export const RECORD_VERSION = `(extract(epoch FROM ${CHANGED_AT}${IN_UTC}) * 1000000)::bigint`;

/** These columns with the version of the record. */
export const versioned = (columns: string): string => `${columns}, ${RECORD_VERSION} AS version`;

/** The columns of a StoredRecord with its version. */
export const VERSIONED_COLUMNS = versioned(RECORD_COLUMNS);

/** An instant, and an interval later. */
export const later = (instant: string, interval: string): string =>
  `(${instant}${IN_UTC} + ${interval})${IN_UTC}`;

/** An instant, or just after the last change of a record `r`, where that is later. */
export const laterThanChange = (instant: string): string => {
  const [updated, archived] = ['r.updated_at', 'r.archived_at'].map((at) =>
    later(at, `interval '1 microsecond'`),
  );
  return `GREATEST(${instant}, ${updated}, ${archived})`;
};

/** The text of an instant in stored fields, in a write. */
const storedInstant = (at: string): string => `${butOnCluster('iso_utc')}${onCluster('utc_text')}(${at})`;

/**
 * The assigned dates named in a text[], all with one value, as an object to merge into `fields`. This is no
 * subquery, because statements mention it many times and a subquery costs at each mention.
 */
export const assignedDates = (names: string, at: string): string =>
  `jsonb_object(${names}::text[], array_fill(${storedInstant(at)}, ARRAY[cardinality(${names}::text[])]))`;

/** The end of a query for the active record `r` of the account $1 with a key. @param type SQL of its type */
export const atRecordKey = (column: 'unique_key' | 'external_id', type: string, value: string): string =>
  `r.archived_at IS NULL AND r.${column} IS NOT NULL AND ${atKey(
    ['r.account_id', 'r.object_type', `r.${column}`],
    [unknownWhenPlanned('$1::uuid'), type, value],
  )}`;

/** Keeps the rows of a relation from the planner. A cluster would compute it before all else. */
export const FENCE = butOnCluster('OFFSET 0');

/**
 * Whether `r` is the record that each row of a relation names by `account_id`, `object_type` and `record_id`,
 * which the planner must not know: the relation has a FENCE, or is a CTE that is kept. Otherwise, where
 * statistics say that an account has few records, all of them are read to find those that are named. The
 * account is compared by ANY, which no hash and no order is made of, so that nothing is left but to look up
 * each record by its whole key.
 * @param account the parameter, for a cluster
 */
export const isRecordOf = (relation: string, account = '$1'): string =>
  `r.account_id = ANY (ARRAY[${relation}.account_id]) ${onCluster(`AND r.account_id = ${account}`)}
      AND r.object_type = ${relation}.object_type AND r.id = ${relation}.record_id`;

/** Where records of any type with a uuid[] of ids can be. */
const placesOf = (account: string, ids: string): string =>
  `SELECT ${account}::uuid AS account_id, object_type, record_id FROM unnest(${ids}::uuid[]) AS record_id
      CROSS JOIN unnest('{contacts,companies,deals,tickets}'::text[]) AS object_type`;

/**
 * Records of any type by a uuid[] of ids, in the order of the ids.
 * @param without a text[] of the names of fields that are left out
 */
export const recordsByIds = (account: string, ids: string, without = "'{}'"): string =>
  `SELECT ${columnsWithout(without)}
    FROM (${placesOf(account, ids)} ${FENCE}) AS given
    JOIN records r ON ${isRecordOf('given', account)}
    ORDER BY r.id`;

/**
 * Locks records of one type that nobody else has locked. A cluster gets it for each id.
 * @param p.ids a uuid[] @param p.without as of `recordsByIds`
 */
export const lockRecords = (
  p: Readonly<Record<'account' | 'objectType' | 'ids' | 'without', string>>,
): string =>
  `SELECT ${columnsWithout(p.without)} FROM
    ${butOnCluster(`${namedOfType(p, `unnest(${p.ids}::uuid[]) AS given (record_id)`)} JOIN records r ON ${isRecordOf('given', p.account)}`)}
    ${onCluster(`records r WHERE ${isOfKey(p)}`)} FOR UPDATE SKIP LOCKED`;

/**
 * Waits for records and locks them, in the order of their ids. A cluster gets it for each.
 * @param p.ids a uuid[] @param p.objectTypes a text[] with the type of each
 */
export const awaitRecords = (p: Readonly<Record<'account' | 'ids' | 'objectTypes', string>>): string =>
  `SELECT r.id FROM
    ${butOnCluster(`(SELECT ${p.account}::uuid AS account_id, given.*
      FROM unnest(${p.ids}::uuid[], ${p.objectTypes}::text[]) AS given (record_id, object_type) ${FENCE}) AS given
    JOIN records r ON ${isRecordOf('given', p.account)} ORDER BY r.id`)}
    ${onCluster(`records r WHERE ${isOfKey({ ...p, objectType: `${p.objectTypes}::text` })}`)} FOR UPDATE`;

/** Records of one type as a relation. @param given SQL of rows with `record_id` */
const namedOfType = (p: Readonly<Record<'account' | 'objectType', string>>, given: string): string =>
  `(SELECT ${p.account}::uuid AS account_id, ${p.objectType}::text AS object_type, given.* FROM ${given} ${FENCE}) AS given`;

/** Whether `r` has a key. */
const isOfKey = (p: Readonly<Record<'account' | 'objectType' | 'ids', string>>): string =>
  `r.account_id = ${p.account} AND r.object_type = ${p.objectType} AND r.id = ${p.ids}::uuid`;

/**
 * The ids of a uuid[] that records of any type have, with the types. What an index has whole, PostgreSQL may
 * read whole.
 */
export const existingIds = (account: string, ids: string): string =>
  `SELECT r.id, r.object_type AS "objectType" FROM (${placesOf(account, ids)}) AS given
    CROSS JOIN LATERAL (SELECT r.id, r.object_type FROM records r WHERE r.account_id = given.account_id
      ${onCluster(`AND r.account_id = ${account}`)} AND r.object_type = given.object_type AND r.id = given.record_id LIMIT 1) AS r`;

/** A new owner of a record: the fields that it sets, and what WriteAuthors says of the router. */
export interface NewOwner {
  readonly fields: Readonly<Record<string, string>>;
  readonly by: object;
}

/** The fields of a new owner. @param at when the record gets it */
export const ownerFields = (ownerField: string, user: string, at: Date): NewOwner['fields'] => ({
  [ownerField]: user,
  [assignedDateOf(ownerField)]: at.toISOString(),
});

/**
 * Gives records new owners. A cluster gets it for each record.
 * @param p.ids a uuid[] of the records @param p.owners a jsonb[] with a NewOwner of each
 */
export const setOwners = (
  p: Readonly<Record<'account' | 'objectType' | 'ids' | 'owners' | 'at', string>>,
): string => {
  const owner = `${butOnCluster('given.owner')}${onCluster(`${p.owners}::jsonb`)}`;
  return `UPDATE records r SET fields = r.fields || (${owner} -> 'fields'), changed_by = ${owner} -> 'by',
      updated_at = ${laterThanChange(p.at)}
    ${butOnCluster(`FROM ${namedOfType(p, `unnest(${p.ids}::uuid[], ${p.owners}::jsonb[]) AS given (record_id, owner)`)} WHERE ${isRecordOf('given', p.account)}`)}
    ${onCluster(`WHERE ${isOfKey(p)}`)}`;
};

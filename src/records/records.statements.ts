import { configurationIsCurrent } from '../accounts/index.js';
import type { Statement } from '../database/index.js';
import { RENAMED_USERS } from '../directory/index.js';
import { andKey, forEachName, typeOfName } from './for-each-name.js';
import type { KeyColumn } from './record-key.js';
import {
  assignedDates,
  columnsWithout,
  laterThanChange,
  RECORD_VERSION,
  VERSIONED_COLUMNS,
} from './records.sql.js';

/**
 * $1 account, $2 configuration version, $3 object type, $4 values as a JSON object, $5 names of the assigned
 * dates to set, $6 name of the type's own unique key or null, $7 name of its owner field, $8 the
 * author (WriteAuthors). Returns no row when the configuration has changed.
 */
export const INSERT_RECORD: Statement = {
  name: 'record_insert',
  sharesCommit: true,
  text: `INSERT INTO records AS r
      (account_id, object_type, id, fields, unique_key, external_id, owner, changed_by, created_at, updated_at)
    SELECT $1::uuid, $3::text, uuid_v7(statement_timestamp()), $4::jsonb || ${assignedDates('$5', 'statement_timestamp()')},
      $4::jsonb ->> $6::text, $4::jsonb ->> 'external_id', $4::jsonb ->> $7::text, $8::text,
      statement_timestamp(), statement_timestamp()
    WHERE ${configurationIsCurrent('$1', '$2')}
    RETURNING ${VERSIONED_COLUMNS}`,
};

/**
 * The current time, but later than the change that the statement may have waited for. The clock of the
 * statement is read before it waits.
 */
const NOW = laterThanChange('statement_timestamp()');

/** Whether the record has one of the versions of a bigint[]; null for any. */
const hasVersion = (versions: string): string =>
  `(${versions}::bigint[] IS NULL OR ${RECORD_VERSION} = ANY (${versions}::bigint[]))`;

const SET = `(r.fields || $5::jsonb || ${assignedDates('$6', NOW)})`;
const MERGED = `(${SET} - $7::text[])`;

/** The bytes of the fields after the update and before it, those in $11 apart. */
const SIZE_AFTER = `octet_length((${SET} - ($7::text[] || $11::text[]))::text)`;
const SIZE_BEFORE = 'octet_length((r.fields - $11::text[])::text)';

/** The bytes of all fields, of an update that sets a long one. */
const WHOLE_AFTER = `octet_length(${MERGED}::text)`;
const WHOLE_BEFORE = 'octet_length(r.fields::text)';

/**
 * $1 account, $2 configuration version, $3 object type, $4 id, $5 values to set as a JSON object, $6 names of
 * the assigned dates to set, $7 stored keys to remove, $8 name of the type's own unique key or null, $9 name
 * of its owner field, $10 the most bytes of the fields, $11 fields that do not count, $12 the most bytes of
 * all fields, or null, $13 the versions of which the record must have one, or null, $14 the author, $15
 * the key by which it is named, if it is. Returns no row when there is no
 * such active record, the configuration has changed, or the record would grow beyond a limit. A record that
 * is larger already may be changed if it does not grow. The sizes are those of the record that this statement
 * finds after waiting for others, so concurrent updates cannot exceed the limit together.
 */
export const UPDATE_RECORD = forEachName(
  'record_update',
  (by) => `UPDATE records r
    SET fields = ${MERGED},
      unique_key = ${MERGED} ->> $8::text,
      external_id = ${MERGED} ->> 'external_id',
      owner = ${MERGED} ->> $9::text,
      changed_by = $14::text,
      updated_at = ${NOW}
    WHERE r.account_id = $1 AND r.object_type = $3 AND r.id = $4 AND r.archived_at IS NULL ${andKey(by, '$15::text')} AND ${hasVersion('$13')}
      AND ${configurationIsCurrent('$1', '$2')}
      AND (${SIZE_AFTER} <= $10::bigint OR ${SIZE_AFTER} <= ${SIZE_BEFORE})
      AND ($12::bigint IS NULL OR ${WHOLE_AFTER} <= $12::bigint OR ${WHOLE_AFTER} <= ${WHOLE_BEFORE})
    RETURNING ${VERSIONED_COLUMNS}`,
  { sharesCommit: true },
);

const PLAIN = '(r.fields || $5::jsonb)';
const PLAIN_SIZE = `octet_length((${PLAIN} - $7::text[])::text)`;

/**
 * As UPDATE_RECORD, for a write that sets no key, no user field and no long one, and clears nothing: it takes
 * six tenths of the time. $1 to $5 as there, $6 the most bytes of the fields, $7 fields that do not count, $8
 * the versions, $9 the author, $10 the key.
 */
export const UPDATE_PLAIN_FIELDS = forEachName(
  'record_update_plain',
  (by) => `UPDATE records r SET fields = ${PLAIN}, changed_by = $9::text, updated_at = ${NOW}
    WHERE r.account_id = $1 AND r.object_type = $3 AND r.id = $4 AND r.archived_at IS NULL ${andKey(by, '$10::text')} AND ${hasVersion('$8')}
      AND ${configurationIsCurrent('$1', '$2')}
      AND (${PLAIN_SIZE} <= $6::bigint OR ${PLAIN_SIZE} <= octet_length((r.fields - $7::text[])::text))
    RETURNING ${VERSIONED_COLUMNS}`,
  { sharesCommit: true },
);

/** Archiving depends on no version of the configuration, so it reads how users are named itself. */
const ARCHIVED_COLUMNS = `${VERSIONED_COLUMNS}, ${RENAMED_USERS}`;

/**
 * $1 account, $2 object type, $3 id, $4 who archives, $5 the versions of which the record must have one, or
 * null, $6 the author, $7 the key by which it is named, if it is.
 */
export const ARCHIVE_RECORD = forEachName(
  'record_archive',
  (by) => `UPDATE records r SET archived_at = ${NOW}, archived_by = $4, changed_by = $6::text
    WHERE r.account_id = $1 AND r.object_type = $2 AND r.id = $3 AND r.archived_at IS NULL ${andKey(by, '$7::text')} AND ${hasVersion('$5')}
    RETURNING ${ARCHIVED_COLUMNS}`,
  { sharesCommit: true },
);

/**
 * $1 account, $2 object type, $3 id, $4 the versions of which the record must have one, or null, $5 the
 * author. Returns no row where there is no such archived record.
 */
export const RESTORE_RECORD: Statement = {
  name: 'record_restore',
  text: `UPDATE records r SET archived_at = NULL, archived_by = NULL, changed_by = $5::text, updated_at = ${NOW}
    WHERE r.account_id = $1 AND r.object_type = $2 AND r.id = $3 AND r.archived_at IS NOT NULL AND ${hasVersion('$4')}
    RETURNING ${ARCHIVED_COLUMNS}`,
};

/** $1 account, $2 object type, $3 id. */
export const FIND_RECORD: Statement = {
  name: 'record_find',
  text: `SELECT ${VERSIONED_COLUMNS} FROM records r WHERE r.account_id = $1 AND r.object_type = $2 AND r.id = $3`,
};

const findId = (column: KeyColumn): Statement => ({
  name: `record_find_id_by_${column}`,
  text: `SELECT r.id FROM records r
    WHERE r.account_id = $1 AND r.object_type = $2 AND r.${column} = $3::text AND r.archived_at IS NULL`,
});

/** $1 account, $2 object type, $3 key. The id of the active record that has it. */
export const FIND_ID: Readonly<Record<KeyColumn, Statement>> = {
  unique_key: findId('unique_key'),
  external_id: findId('external_id'),
};

/** The active record of $1 account and $2 object type with a key, but for $5. */
const holderOf = (key: string): string =>
  `(SELECT r.id FROM records r WHERE r.account_id = $1 AND r.object_type = $2 AND r.archived_at IS NULL
      AND ${key} AND r.id IS DISTINCT FROM $5::uuid)`;

/**
 * $1 account, $2 object type, $3 unique key, $4 external id, $5 a record to leave out or null. One row with
 * the ids of the active records that have the keys; null where none has.
 */
export const FIND_COLLISIONS: Statement = {
  name: 'record_find_collisions',
  text: `SELECT ${holderOf('r.unique_key = $3::text')} AS unique_key,
    ${holderOf('r.external_id = $4::text')} AS external_id`,
};

/**
 * $1 account, $2 object type, $3 id, $4 whether it is archived. Reads a record and locks it until the
 * transaction ends.
 */
export const LOCK_RECORD: Statement = {
  name: 'record_lock',
  text: `SELECT ${VERSIONED_COLUMNS} FROM records r
    WHERE r.account_id = $1 AND r.object_type = $2 AND r.id = $3 AND (r.archived_at IS NOT NULL) = $4::bool FOR UPDATE`,
};

/**
 * $1 account, $2 object type, $3 unique keys, $4 name of the owner field. Active records by their type's own
 * unique key.
 */
export const FIND_OWNERS_BY_KEY: Statement = {
  name: 'record_find_owners_by_key',
  text: `SELECT r.unique_key AS key, r.id, r.fields ->> $4 AS owner FROM records r
    WHERE r.account_id = $1 AND r.object_type = $2 AND r.unique_key = ANY ($3::text[]) AND r.archived_at IS NULL`,
};

const countOwned = (name: string, owner: string): Statement => ({
  name,
  text: `SELECT ${owner} AS email, count(*)::int AS count FROM records r
    WHERE r.account_id = $1 AND r.object_type = $2 AND r.archived_at IS NULL AND ${owner} = ANY ($3::text[])
      AND ($4::text IS NULL OR r.fields ->> $4::text = ANY ($5::text[]))
    GROUP BY 1`,
});

/**
 * $1 account, $2 object type, $3 owners, $4 a field, $5 the values of it of which a record must have one;
 * null for any record. Active records by the type's own owner field, which has an index.
 */
export const COUNT_OWNED_ONE_BY_ONE = countOwned('record_count_owned_one_by_one', 'r.owner');

/** As COUNT_OWNED_ONE_BY_ONE, $6 a custom owner field. Reads all active records of the type. */
export const COUNT_OWNED_BY_FIELD = countOwned('record_count_owned_by_field', 'r.fields ->> $6::text');

/** $1 account, $2 object type, $3 ids or keys, $4 fields to leave out. The active records that have them. */
export const FIND_BY_KEYS = forEachName(
  'record_find_many',
  (by) => `SELECT ${columnsWithout('$4')} FROM records r
    WHERE r.account_id = $1 AND r.object_type = $2 AND r.archived_at IS NULL
      AND r.${by} = ANY ($3::${typeOfName(by)}[])`,
);

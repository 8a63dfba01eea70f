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
 * dates to set, $6 the author (WriteAuthors). Returns no row when the configuration has changed.
 */
export const INSERT_RECORD: Statement = {
  name: 'record_insert',
  sharesCommit: true,
  text: `INSERT INTO records AS r
      (account_id, object_type, id, fields, changed_by, created_at, updated_at)
    SELECT $1::uuid, $3::text, uuid_v7(statement_timestamp()), $4::jsonb || ${assignedDates('$5', 'statement_timestamp()')},
      $6::text, statement_timestamp(), statement_timestamp()
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
const SIZE_AFTER = `octet_length((${SET} - ($7::text[] || $9::text[]))::text)`;
const SIZE_BEFORE = 'octet_length((r.fields - $9::text[])::text)';

/** The bytes of all fields, of an update that sets a long one. */
const WHOLE_AFTER = `octet_length(${MERGED}::text)`;
const WHOLE_BEFORE = 'octet_length(r.fields::text)';

/**
 * $1 account, $2 configuration version, $3 object type, $4 id, $5 values to set as a JSON object, $6 names of
 * the assigned dates to set, $7 stored keys to remove, $8 the most bytes of the fields, $9 fields that do not
 * count, $10 the most bytes of all fields, or null, $11 the versions of which the record must have one, or
 * null, $12 the author, $13 the key by which it is named, if it is. Returns no row when there is no
 * such active record, the configuration has changed, or the record would grow beyond a limit. A record that
 * is larger already may be changed if it does not grow. The sizes are those of the record that this statement
 * finds after waiting for others, so concurrent updates cannot exceed the limit together.
 */
export const UPDATE_RECORD = forEachName(
  'record_update',
  (by) => `UPDATE records r
    SET fields = ${MERGED}, changed_by = $12::text, updated_at = ${NOW}
    WHERE r.account_id = $1 AND r.object_type = $3 AND r.id = $4 AND r.archived_at IS NULL ${andKey(by, '$13::text')} AND ${hasVersion('$11')}
      AND ${configurationIsCurrent('$1', '$2')}
      AND (${SIZE_AFTER} <= $8::bigint OR ${SIZE_AFTER} <= ${SIZE_BEFORE})
      AND ($10::bigint IS NULL OR ${WHOLE_AFTER} <= $10::bigint OR ${WHOLE_AFTER} <= ${WHOLE_BEFORE})
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

const countOwned = (name: string, owner: string, condition = ''): Statement => ({
  name,
  text: `SELECT ${owner} AS email, count(*)::int AS count FROM records r
    WHERE r.account_id = $1 AND r.object_type = $2 AND r.archived_at IS NULL AND ${owner} = ANY ($3::text[]) ${condition}
    GROUP BY 1`,
});

const HAS_VALUE = 'AND r.fields ->> $4 = ANY ($5::text[])';

/**
 * $1 account, $2 object type, $3 e-mails, $4 field, $5 values. Active records that have one of the values, by
 * the type's own owner field, which has an index.
 */
export const COUNT_OWNED_WITH_VALUE = countOwned('record_count_owned_with_value', 'r.owner', HAS_VALUE);

/** $1 account, $2 object type, $3 e-mails, $4 a custom owner field. Reads all active records of the type. */
export const COUNT_OWNED_BY_FIELD = countOwned('record_count_owned_by_field', 'r.fields ->> $4');

/** As COUNT_OWNED_WITH_VALUE, $6 a custom owner field. */
export const COUNT_OWNED_BY_FIELD_WITH_VALUE = countOwned(
  'record_count_owned_by_field_with_value',
  'r.fields ->> $6',
  HAS_VALUE,
);

/** $1 account, $2 object type, $3 ids or keys, $4 fields to leave out. The active records that have them. */
export const FIND_BY_KEYS = forEachName(
  'record_find_many',
  (by) => `SELECT ${columnsWithout('$4')} FROM records r
    WHERE r.account_id = $1 AND r.object_type = $2 AND r.archived_at IS NULL
      AND r.${by} = ANY ($3::${typeOfName(by)}[])`,
);

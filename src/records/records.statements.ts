import { configurationIsCurrent } from '../accounts/index.js';
import type { Statement } from '../database/index.js';
import { RENAMED_USERS } from '../directory/index.js';
import type { NamedBy } from './record-key.js';
import {
  assignedDates,
  columnsWithout,
  laterThanChange,
  RECORD_VERSION,
  versioned,
  VERSIONED_COLUMNS,
} from './records.sql.js';

/** A statement for each way to name records. */
type NamedStatements = Readonly<Record<NamedBy['by'], Statement>>;

/** How a statement names records: by $3, in whose order `given.n` counts from 1. */
interface Naming {
  /** The SQL type of a name. */
  readonly type: string;
  /** Whether `r` is the record of a name: of a key, an active one. */
  readonly isNamed: string;
}

function forEachName(
  name: string,
  text: (naming: Naming) => string,
  options: Pick<Statement, 'sharesCommit'> = {},
): NamedStatements {
  const by = (column: NamedBy['by']): Statement => {
    const isKey = column !== 'id';
    const isNamed = `r.account_id = $1 AND r.object_type = $2 AND r.${column} = given.name${
      isKey ? ' AND r.archived_at IS NULL' : ''
    }`;
    const type = isKey ? 'text' : 'uuid';
    return { name: isKey ? `${name}_by_${column}` : name, text: text({ type, isNamed }), ...options };
  };
  return { id: by('id'), unique_key: by('unique_key'), external_id: by('external_id') };
}

const given = (type: string): string => `unnest($3::${type}[]) WITH ORDINALITY AS given (name, n)`;

/**
 * When a row is written. Each row of a statement has an instant of its own, a microsecond behind that of the
 * row before it, so that records sort in the order in which they were sent.
 */
const AT = `statement_timestamp() + (given.n - 1) * interval '1 microsecond'`;

/** Later than the change that the statement may have waited for: its clock is read before it waits. */
const NOW = laterThanChange(AT);

const insert = (
  name: string,
  onConflict: string,
  options: Pick<Statement, 'sharesCommit'> = {},
): Statement => ({
  name,
  text: `INSERT INTO records AS r (account_id, object_type, id, fields, changed_by, created_at, updated_at)
    SELECT $1::uuid, $3::text, uuid_v7(given.at),
      jsonb_strip_nulls(given.fields || ${assignedDates('given.dates', 'given.at')}), $7::text, given.at, given.at
    FROM (SELECT given.fields::jsonb AS fields, given.dates::text[] AS dates, ${AT} AS at, given.turn
      FROM unnest($4::text[], $5::text[], $6::text[]) WITH ORDINALITY AS given (fields, dates, turn, n)
      OFFSET 0) AS given
    WHERE ${configurationIsCurrent('$1', '$2')}
    ORDER BY given.turn COLLATE "C", given.at ${onConflict}
    RETURNING ${VERSIONED_COLUMNS},
      (extract(epoch FROM r.created_at - statement_timestamp()) * 1000000)::int + 1 AS n`,
  ...options,
});

/**
 * $1 account, $2 configuration version, $3 object type, $4 values as JSON objects, $5 names of the assigned
 * dates to set, each a text[] as text, $6 what the rows are written in the order of, $7 the author
 * (WriteAuthors). Returns no row when the configuration has changed.
 */
export const INSERT_RECORD = insert('record_insert', '', { sharesCommit: true });

/** As INSERT_RECORD. A record that has a key of another, or of one before it, is left out. */
export const INSERT_RECORDS = insert('records_insert', 'ON CONFLICT DO NOTHING');

/** Whether a record has one of the versions of a bigint[]; null for any. */
const hasVersion = (versions: string): string =>
  `(${versions}::bigint[] IS NULL OR ${RECORD_VERSION} = ANY (${versions}::bigint[]))`;

const MERGED = `jsonb_strip_nulls(r.fields || given.changes || ${assignedDates('given.dates', NOW)})`;

/** Whether fields have few enough bytes, or no more than before. */
const fits = (fields: (all: string) => string, most: string): string => {
  const bytes = (all: string): string => `octet_length(${fields(all)}::text)`;
  return `(${bytes(MERGED)} <= ${most}::bigint OR ${bytes(MERGED)} <= ${bytes('r.fields')})`;
};

/** The columns of a StoredRecord without some fields, and the place of the input. */
const placed = (hidden: string): string => `${versioned(columnsWithout(hidden))}, given.n::int AS n`;

/**
 * Updates active records. $1 account, $2 object type, $3 names, $4 configuration version, $5 values as JSON
 * objects, with null for what is cleared, $6 names of the assigned dates to set, each a text[] as text, $7
 * keys that a record must have, as JSON objects, $8 the ids that they must have or null, $9 the most bytes of
 * the fields, $10 fields that do not count, $11 the most bytes of all fields, or null, $12 the versions of
 * which each must have one, or null, $13 fields that are not returned, $14 the author. A record that is
 * larger already may be changed if it does not grow. The sizes are those of the record that this statement
 * finds after waiting for others, so concurrent updates cannot exceed the limit together.
 */
export const UPDATE_RECORDS = forEachName(
  'record_update',
  ({ type, isNamed }) => `UPDATE records r SET fields = ${MERGED}, changed_by = $14::text, updated_at = ${NOW}
    FROM (SELECT given.n, given.name, given.changes::jsonb AS changes, given.dates::text[] AS dates,
        given.keys::jsonb AS keys, given.id
      FROM unnest($3::${type}[], $5::text[], $6::text[], $7::text[], $8::uuid[])
        WITH ORDINALITY AS given (name, changes, dates, keys, id, n)
      OFFSET 0) AS given
    WHERE ${isNamed} AND r.archived_at IS NULL AND r.fields @> given.keys
      AND (given.id IS NULL OR r.id = given.id) AND ${hasVersion('$12')}
      AND ${configurationIsCurrent('$1', '$4')}
      AND ${fits((all) => `(${all} - $10::text[])`, '$9')} AND ($11::bigint IS NULL OR ${fits((all) => all, '$11')})
    RETURNING ${placed('$13')}`,
  { sharesCommit: true },
);

/** Archiving depends on no version of the configuration, so it reads how users are named itself. */
const MOVED = `${placed('$5')}, ${RENAMED_USERS}`;

/**
 * Archives active records. $1 account, $2 object type, $3 names, $4 the versions of which each must have one,
 * or null, $5 fields that are not returned, $6 the author, $7 who archives.
 */
export const ARCHIVE_RECORDS = forEachName(
  'record_archive',
  ({ type, isNamed }) => `UPDATE records r SET archived_at = ${NOW}, archived_by = $7, changed_by = $6::text
    FROM ${given(type)}
    WHERE ${isNamed} AND r.archived_at IS NULL AND ${hasVersion('$4')}
    RETURNING ${MOVED}`,
  { sharesCommit: true },
);

/** Makes archived records active again. $1 to $6 as of ARCHIVE_RECORDS, $3 ids. */
export const RESTORE_RECORDS: Statement = {
  name: 'record_restore',
  text: `UPDATE records r
    SET archived_at = NULL, archived_by = NULL, changed_by = $6::text, updated_at = ${NOW}
    FROM ${given('uuid')}
    WHERE r.account_id = $1 AND r.object_type = $2 AND r.id = given.name AND r.archived_at IS NOT NULL
      AND ${hasVersion('$4')}
    RETURNING ${MOVED}`,
};

const read = (name: string, columns: string, end = ''): NamedStatements =>
  forEachName(
    name,
    ({ type, isNamed }) => `SELECT ${columns} FROM ${given(type)} JOIN records r ON ${isNamed} ${end}`,
  );

/** $1 account, $2 object type, $3 names, $4 fields that are not returned. */
export const FIND_RECORDS = read('record_find', placed('$4'));

/** $1 account, $2 object type, $3 names. */
export const FIND_IDS = read('record_find_ids', 'r.id, given.n::int AS n');

/**
 * As FIND_IDS, and locks the records until the transaction ends. All who lock several records do so in the
 * order of their ids, as `recordsByIds` has them, so no two deadlock.
 */
export const LOCK_RECORDS = read('records_lock', 'r.id', 'ORDER BY r.id FOR NO KEY UPDATE OF r');

/**
 * Milliseconds for which a transaction that has locked its records waits for others, which may be those that
 * one of these others waits for: it gives up long before PostgreSQL looks for deadlocks, and runs again.
 */
const PATIENCE = 200;

/** Ends what LOCK_RECORDS begins: what is waited for from here on was not locked in any order. */
export const WAIT_BRIEFLY: Statement = {
  name: 'records_wait_briefly',
  text: `SELECT set_config('lock_timeout', '${PATIENCE}', true)`,
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

const findHolders = (by: NamedBy['by']): Statement => {
  const holder = (column: string, key: string): string =>
    `(SELECT r.id FROM records r WHERE r.account_id = $1 AND r.object_type = $2 AND r.archived_at IS NULL
        AND r.${column} = ${key}::text AND r.${by} IS DISTINCT FROM $5::${by === 'id' ? 'uuid' : 'text'}) AS ${column}`;
  return {
    name: `record_find_holders_but_${by}`,
    text: `SELECT ${holder('unique_key', '$3')}, ${holder('external_id', '$4')}`,
  };
};

/**
 * $1 account, $2 object type, $3 unique key, $4 external id, $5 the name of a record to leave out, or null.
 * One row with the ids of the active records that have the keys; null where none has.
 */
export const FIND_HOLDERS: NamedStatements = {
  id: findHolders('id'),
  unique_key: findHolders('unique_key'),
  external_id: findHolders('external_id'),
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

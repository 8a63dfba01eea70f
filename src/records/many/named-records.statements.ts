import { configurationIsCurrent } from '../../accounts/index.js';
import type { Statement } from '../../database/index.js';
import { RENAMED_USERS } from '../../directory/index.js';
import { andKey, forEachName, ifByKey, typeOfName } from '../for-each-name.js';
import type { Naming } from '../record-key.js';
import { assignedDates, columnsWithout, laterThanChange, versioned } from '../records.sql.js';
import { AT } from './created-records.statements.js';

const named = (by: Naming['by']): string =>
  `SELECT asked.n::int AS n, r.id, r.unique_key, r.external_id, r.archived_at IS NOT NULL AS archived
    FROM unnest($3::${typeOfName(by)}[]) WITH ORDINALITY AS asked (name, n)
    JOIN records r ON r.account_id = $1 AND r.object_type = $2 AND r.${by} = asked.name
      ${ifByKey(by, 'AND r.archived_at IS NULL')}`;

/**
 * $1 account, $2 object type, $3 ids, or keys of active records. A row for each that there is: its place from
 * 1, its id, its keys, and whether it is archived.
 */
export const FIND_NAMED = forEachName('records_find_named', named);

/**
 * As FIND_NAMED, and locks the records until the transaction ends. All who lock several records do so in the
 * order of their ids, as `recordsByIds` has them, so no two deadlock.
 */
export const LOCK_NAMED = forEachName(
  'records_lock_named',
  (by) => `${named(by)} ORDER BY r.id FOR NO KEY UPDATE OF r`,
);

/**
 * Milliseconds for which a transaction that has locked its records waits for others, which may be those that
 * one of these others waits for: it gives up long before PostgreSQL looks for deadlocks, and runs again.
 */
const PATIENCE = 200;

/** Ends what LOCK_NAMED begins: what is waited for from here on was not locked in any order. */
export const WAIT_BRIEFLY: Statement = {
  name: 'records_wait_briefly',
  text: `SELECT set_config('lock_timeout', '${PATIENCE}', true)`,
};

/** Later than the change that the statement may have waited for. */
const NOW = laterThanChange(AT);

const SET = `(r.fields || given.changed || ${assignedDates('given.dates', NOW)})`;
const MERGED = `(${SET} - given.removed)`;
const SIZE_AFTER = `octet_length((${SET} - (given.removed || $9::text[]))::text)`;
const SIZE_BEFORE = 'octet_length((r.fields - $9::text[])::text)';

/** The columns of a StoredRecord with its version, but for long fields, which an answer does not show. */
const shownColumns = (long: string): string => versioned(columnsWithout(long));

/**
 * As UPDATE_RECORD, for many active records. $1 account, $2 configuration version, $3 object type, $4 ids, $5
 * values to set as JSON objects, $6 names of the assigned dates to set and $7 stored keys to remove, each a
 * text[] as text, $8 the most bytes of the fields, $9 the long fields, which do not count and are not
 * returned, $10 who changes them, $11 the keys by which they are named, if they are. None of them sets a long
 * field. A record that may not be written is left out.
 */
export const UPDATE_RECORDS = forEachName(
  'records_update_many',
  (by) => `UPDATE records r
    SET fields = ${MERGED}, changed_by = $10::text, updated_at = ${NOW}
    FROM (SELECT given.n, given.id, given.changed::jsonb AS changed, given.dates::text[] AS dates,
        given.removed::text[] AS removed ${ifByKey(by, ', given.key')}
      FROM unnest($4::uuid[], $5::text[], $6::text[], $7::text[] ${ifByKey(by, ', $11::text[]')})
        WITH ORDINALITY AS given (id, changed, dates, removed ${ifByKey(by, ', key')}, n)
      OFFSET 0) AS given
    WHERE r.account_id = $1 AND r.object_type = $3 AND r.id = given.id AND r.archived_at IS NULL
      ${andKey(by, 'given.key')}
      AND ${configurationIsCurrent('$1', '$2')}
      AND (${SIZE_AFTER} <= $8::bigint OR ${SIZE_AFTER} <= ${SIZE_BEFORE})
    RETURNING ${shownColumns('$9')}`,
);

/** Archiving depends on no version of the configuration, so it reads how users are named itself. */
const archivedColumns = (long: string): string => `${shownColumns(long)}, ${RENAMED_USERS}`;

/**
 * As ARCHIVE_RECORD, for many. $1 account, $2 object type, $3 ids, $4 who archives, $5 fields that are not
 * returned, $6 who changes them, $7 the keys by which they are named, if they are.
 */
export const ARCHIVE_RECORDS = forEachName(
  'records_archive_many',
  (by) => `UPDATE records r SET archived_at = ${NOW}, archived_by = $4, changed_by = $6::text
    FROM unnest($3::uuid[] ${ifByKey(by, ', $7::text[]')})
      WITH ORDINALITY AS given (id ${ifByKey(by, ', key')}, n)
    WHERE r.account_id = $1 AND r.object_type = $2 AND r.id = given.id AND r.archived_at IS NULL
      ${andKey(by, 'given.key')}
    RETURNING ${archivedColumns('$5')}`,
);

/**
 * As RESTORE_RECORD, for many. $1 account, $2 object type, $3 ids, $4 fields that are not returned, $5 who
 * changes them.
 */
export const RESTORE_RECORDS: Statement = {
  name: 'records_restore_many',
  text: `UPDATE records r SET archived_at = NULL, archived_by = NULL, changed_by = $5::text, updated_at = ${NOW}
    FROM unnest($3::uuid[]) WITH ORDINALITY AS given (id, n)
    WHERE r.account_id = $1 AND r.object_type = $2 AND r.id = given.id AND r.archived_at IS NOT NULL
    RETURNING ${archivedColumns('$4')}`,
};

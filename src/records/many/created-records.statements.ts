import { configurationIsCurrent } from '../../accounts/index.js';
import type { Statement } from '../../database/index.js';
import { assignedDates, VERSIONED_COLUMNS } from '../records.sql.js';

/**
 * When a row is written. Each row has an instant of its own, a microsecond behind that of the row before it,
 * so that records sort in the order in which they were sent.
 */
export const AT = `statement_timestamp() + given.n * interval '1 microsecond'`;

/** A new id whose random part is given, but for its first bits. */
const idEndingIn = (end: string, at: string): string =>
  `overlay(uuid_v7(${at})::text PLACING ${end}::text FROM 20)::uuid`;

/**
 * As INSERT_RECORD, for many. $1 account, $2 configuration version, $3 object type, $4 values as JSON
 * objects, $5 names of the assigned dates to set, each a text[] as text, $6 the last 17 characters of the
 * ids, $7 who creates them, $8 the place of each among those that are created. A record that has a key of
 * another, or of one before it in the statement, is left out.
 */
export const INSERT_RECORDS: Statement = {
  name: 'records_insert_many',
  text: `INSERT INTO records AS r
      (account_id, object_type, id, fields, changed_by, created_at, updated_at)
    SELECT $1::uuid, $3::text, ${idEndingIn('given.ending', 'given.at')},
      given.fields || ${assignedDates('given.dates', 'given.at')},
      $7::text, given.at, given.at
    FROM (SELECT given.n, given.fields::jsonb AS fields, given.dates::text[] AS dates, given.ending, ${AT} AS at,
        given.turn
      FROM unnest($4::text[], $5::text[], $6::text[], $8::int[])
        WITH ORDINALITY AS given (fields, dates, ending, n, turn)
      OFFSET 0) AS given
    WHERE ${configurationIsCurrent('$1', '$2')}
    ORDER BY given.turn
    ON CONFLICT DO NOTHING
    RETURNING ${VERSIONED_COLUMNS}`,
};

/** The active record of $1 account and $2 object type with a key. */
const holderOf = (column: string): string =>
  `(SELECT r.id FROM records r WHERE r.account_id = $1 AND r.object_type = $2 AND r.archived_at IS NULL
      AND r.${column} = asked.${column})`;

/**
 * $1 account, $2 object type, $3 unique keys, $4 external ids, null for none. A row for each pair, in their
 * order, with the ids of the active records that have the keys; null where none has.
 */
export const FIND_HOLDERS: Statement = {
  name: 'records_find_holders',
  text: `SELECT ${holderOf('unique_key')} AS unique_key, ${holderOf('external_id')} AS external_id
    FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS asked (unique_key, external_id, n)
    ORDER BY asked.n`,
};

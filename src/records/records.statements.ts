import { configurationIsCurrent, homeId, homeRow } from '../accounts/index.js';
import { butOnCluster, onCluster, type Statement } from '../database/index.js';
import type { NamedBy } from './record-key.js';
import {
  assignedDates,
  atRecordKey,
  columnsWithout,
  FENCE,
  isRecordOf,
  later,
  laterThanChange,
  RECORD_VERSION,
  versioned,
  VERSIONED_COLUMNS,
} from './records.sql.js';

/** A statement for one record and one for several, for each way to name them. */
type NamedStatements = Readonly<Record<NamedBy['by'], Readonly<Record<'one' | 'several', Statement>>>>;

/** A column of inputs: its name, its SQL type, and the parameter that has an array of its values. */
type InputColumn = readonly [name: string, type: string, parameter: string];

interface Naming {
  /** The relation `given` of the inputs: `n`, their place from 1, `record_id`, and other columns. */
  readonly given: string;
  /** Whether `r` is the record of an input: of a key, an active one. */
  readonly isNamed: string;
}

/**
 * The inputs of a statement, with the records that they name. One input is no relation for the planner, which
 * would plan the statement anew at each use: it knows that the arrays have one element, and expects ten where
 * it plans for all values.
 */
const inputs = (columns: readonly InputColumn[], by: NamedBy['by'], isOne: boolean): string => {
  const arrays = columns.map(([, type, array]) => `${array}::${type}[]`);
  const names = columns.map(([name]) => name);
  const one = columns.map(([name], n) => `(${arrays[n] ?? ''})[1] AS ${name}`).join(', ');
  const relation = isOne
    ? `(SELECT 1 AS n, ${one}) AS given`
    : `unnest(${arrays.join(', ')}) WITH ORDINALITY AS given (${names.join(', ')}, n) ${FENCE}`;
  const id =
    by === 'id' ? 'name' : `(SELECT r.id FROM records r WHERE ${atRecordKey(by, '$2::text', 'given.name')})`;
  return `(SELECT $1::uuid AS account_id, $2::text AS object_type, given.*, ${id} AS record_id FROM ${relation}) AS given`;
};

/**
 * Whether a record `r` is active, as a function: for the condition itself, PostgreSQL might read the index of
 * all active records.
 */
const IS_ACTIVE = 'num_nulls(r.archived_at) = 1';

const IS_ONE = 'r.account_id = $1 AND r.object_type = $2 AND r.id = given.record_id';

function forEachName(
  name: string,
  text: (naming: Naming) => string,
  {
    columns = [],
    ...options
  }: Pick<Statement, 'sharesCommit'> & { readonly columns?: readonly InputColumn[] } = {},
): NamedStatements {
  const by = (column: NamedBy['by']): NamedStatements['id'] => {
    const isKey = column !== 'id';
    const isFound = isKey ? `r.${column} = given.name AND ${IS_ACTIVE}` : 'true';
    const given: readonly InputColumn[] = [['name', isKey ? 'text' : 'uuid', '$3'], ...columns];
    const statement = (isOne: boolean): Statement => ({
      name: `${isOne ? 'record' : 'records'}_${name}${isKey ? `_by_${column}` : ''}`,
      text: text({
        given: inputs(given, column, isOne),
        isNamed: `${isOne ? IS_ONE : isRecordOf('given')} AND ${isFound}`,
      }),
      ...options,
    });
    return { one: statement(true), several: statement(false) };
  };
  return { id: by('id'), unique_key: by('unique_key'), external_id: by('external_id') };
}

/**
 * When a row is written. Each row of a statement has an instant of its own, a microsecond behind that of the
 * row before it, so that records sort in the order in which they were sent.
 */
const AT = later('statement_timestamp()', `(given.n - 1) * interval '1 microsecond'`);

/** Later than the change that the statement may have waited for: its clock is read before it waits. */
const NOW = laterThanChange(AT);

/** The id of a record that is inserted. A cluster takes no volatile function there. */
const ID = `${butOnCluster('uuid_v7')}${onCluster('id_at')}(given.at)`;

const insert = (
  name: string,
  onConflict: string,
  options: Pick<Statement, 'sharesCommit'> = {},
): Statement => ({
  name,
  text: `INSERT INTO records AS r (account_id, object_type, id, fields, key_form, changed_by, created_at, updated_at)
    SELECT ${homeId('$1::uuid')}, $2::text, ${ID},
      jsonb_strip_nulls(given.fields || ${assignedDates('given.dates', 'given.at')}), given.key_form, $7::jsonb,
      given.at, given.at
    FROM (SELECT given.fields::jsonb AS fields, given.dates::text[] AS dates, ${AT} AS at, given.turn, given.key_form
      FROM unnest($3::text[], $5::text[], $6::text[], $8::text[])
        WITH ORDINALITY AS given (fields, dates, turn, key_form, n)
      ${FENCE}) AS given ${homeRow('$1')}
    WHERE ${configurationIsCurrent('$1', '$4')}
    ORDER BY given.turn COLLATE "C", given.at ${onConflict}
    RETURNING ${VERSIONED_COLUMNS},
      (extract(epoch FROM r.created_at - statement_timestamp()) * 1000000)::int + 1 AS n`,
  ...options,
});

/**
 * $1 account, $2 object type, $3 values as JSON objects, $4 configuration version, $5 names of the assigned
 * dates to set, each a text[] as text, $6 what the rows are written in the order of, $7 the author
 * (WriteAuthors), $8 the forms in which keys are compared, or null. Returns no row when the configuration has
 * changed.
 */
export const INSERT_RECORD = insert('record_insert', '', { sharesCommit: true });

/** As INSERT_RECORD. A record that has a key of another, or of one before it, is left out. */
export const INSERT_RECORDS = insert('records_insert', 'ON CONFLICT DO NOTHING');

/** Whether a record has one of the versions of a bigint[]; null for any. */
const hasVersion = (versions: string): string =>
  `(${versions}::bigint[] IS NULL OR ${RECORD_VERSION} = ANY (${versions}::bigint[]))`;

/** A cluster takes the text of names apart: what a type reads may depend on settings. */
const DATES = `${butOnCluster('given.dates')}${onCluster(`string_to_array(translate(given.dates, '{}"', ''), ',')`)}`;

const MERGED = `jsonb_strip_nulls(r.fields || given.changes || ${assignedDates(DATES, NOW)})`;

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
 * which each must have one, or null, $13 fields that are not returned, $14 the author, $15 the forms in which
 * keys are compared, or null. A record that is larger already may be changed if it does not grow. The sizes
 * are those of the record that this statement finds after waiting for others, so concurrent updates cannot
 * exceed the limit together.
 */
export const UPDATE_RECORDS = forEachName(
  'update',
  ({
    given,
    isNamed,
  }) => `UPDATE records r SET fields = ${MERGED}, changed_by = $14::jsonb, updated_at = ${NOW},
      key_form = CASE WHEN given.changes ? 'email' THEN given.key_form ELSE r.key_form END
    FROM ${given}
    WHERE ${isNamed} AND ${IS_ACTIVE} AND r.fields @> given.keys
      AND (given.id IS NULL OR r.id = given.id) AND ${hasVersion('$12')}
      AND ${configurationIsCurrent('$1', '$4')}
      AND ${fits((all) => `(${all} - $10::text[])`, '$9')} AND ($11::bigint IS NULL OR ${fits((all) => all, '$11')})
    RETURNING ${placed('$13')}`,
  {
    columns: [
      ['changes', 'jsonb', '$5'],
      ['dates', 'text', '$6'],
      ['keys', 'jsonb', '$7'],
      ['id', 'uuid', '$8'],
      ['key_form', 'text', '$15'],
    ],
    sharesCommit: true,
  },
);

/**
 * Archives active records. $1 account, $2 object type, $3 names, $4 configuration version, $5 the versions of
 * which each must have one, or null, $6 fields that are not returned, $7 the author, $8 who archives.
 */
export const ARCHIVE_RECORDS = forEachName(
  'archive',
  ({ given, isNamed }) => `UPDATE records r SET archived_at = ${NOW}, archived_by = $8, changed_by = $7::jsonb
    FROM ${given} WHERE ${isNamed} AND ${IS_ACTIVE} AND ${hasVersion('$5')}
      AND ${configurationIsCurrent('$1', '$4')}
    RETURNING ${placed('$6')}`,
  { sharesCommit: true },
);

/** Makes archived records active again. $1 to $7 as of ARCHIVE_RECORDS, $3 ids. */
export const RESTORE_RECORDS = forEachName(
  'restore',
  ({ given, isNamed }) => `UPDATE records r
    SET archived_at = NULL, archived_by = NULL, changed_by = $7::jsonb, updated_at = ${NOW}
    FROM ${given} WHERE ${isNamed} AND r.archived_at IS NOT NULL AND ${hasVersion('$5')}
      AND ${configurationIsCurrent('$1', '$4')}
    RETURNING ${placed('$6')}`,
).id;

const read = (name: string, columns: string, end = ''): NamedStatements =>
  forEachName(
    name,
    ({ given, isNamed }) => `SELECT ${columns} FROM ${given} JOIN records r ON ${isNamed} ${end}`,
  );

/** $1 account, $2 object type, $3 names, $4 fields that are not returned. */
export const FIND_RECORDS = read('find', placed('$4'));

/**
 * $1 account, $2 object type, $3 names. Locks the records until the transaction ends. All who lock several
 * records do so in the order of their ids, as `recordsByIds` has them, so no two deadlock.
 */
export const LOCK_RECORDS = read('lock_named', 'r.id', 'ORDER BY r.id FOR NO KEY UPDATE OF r');

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

/**
 * $1 account, $2 object type, $3 unique keys, $4 name of the owner field. Active records by their type's own
 * unique key.
 */
export const FIND_OWNERS_BY_KEY: Statement = {
  name: 'record_find_owners_by_key',
  text: `SELECT r.* FROM unnest($3::text[]) AS given (key)
    CROSS JOIN LATERAL (SELECT given.key, r.id, r.fields ->> $4 AS owner FROM records r
      WHERE ${atRecordKey('unique_key', '$2::text', 'given.key')}) AS r`,
};

/** The active record with the value of a column; none where `asked` names it in another way. */
const target = (how: NamedBy['by']): string =>
  how === 'id'
    ? `SELECT r.id FROM records r WHERE r.account_id = $1 AND r.object_type = asked.object_type
        AND r.archived_at IS NULL AND r.id = CASE asked.how WHEN 'id' THEN asked.value::uuid END`
    : `(SELECT r.id FROM records r WHERE asked.how = '${how}'
        AND ${atRecordKey(how, 'asked.object_type', 'asked.value')})`;

/**
 * $1 account, $2 to $4 for each record that is looked for: its type, `id` or the column of a key, and the
 * value. A row for each that is found: its place in these lists, from 1, and its id. The conditions at the
 * end leave nothing out: they make PostgreSQL expect one, as a rule there is. It would expect more when it
 * plans for all values than when it plans for these, and so plan anew at each use.
 */
export const FIND_IDS: Statement = {
  name: 'record_find_ids',
  text: `SELECT asked.n::int AS n, found.id
    FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS asked (object_type, how, value, n)
    CROSS JOIN LATERAL (
      ${target('id')} UNION ALL ${target('unique_key')} UNION ALL ${target('external_id')}
    ) AS found
    WHERE asked.how IN ('id', 'unique_key', 'external_id')
      AND asked.object_type IN ('contacts', 'companies', 'deals', 'tickets')`,
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

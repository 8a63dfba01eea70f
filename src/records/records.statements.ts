import { configurationIsCurrent, homeId, homeRow, requireConfiguration } from '../accounts/index.js';
import { butOnCluster, onCluster, type Statement } from '../database/index.js';
import type { KeyColumn, NamedBy } from './record-key.js';
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
  /** SQL of a column of an input: `n`, its place from 1, `name`, and others. */
  readonly given: (column: string) => string;
  /** FROM with the inputs and other relations; nothing where there is none. */
  readonly from: (...others: string[]) => string;
  /** Whether `r` is the record of an input: of a key, an active one. */
  readonly isNamed: string;
  /** AND that the configuration has a version, where the statement itself says so. */
  readonly andCurrent: (version: string) => string;
  /** When the record of an input is written, later than the change that the statement may have waited for. */
  readonly now: string;
}

/**
 * Whether a record `r` is active, as a function: for the condition itself, PostgreSQL might read the index of
 * all active records.
 */
const IS_ACTIVE = 'num_nulls(r.archived_at) = 1';

const andCurrent = (version: string): string => `AND ${configurationIsCurrent('$1', version)}`;

/** When a row is written that is the only one of its statement. The clock is read before it waits. */
const NOW = 'statement_timestamp()';

/**
 * When one of several rows is written: an instant of its own, a microsecond behind that of the row before it,
 * so that records sort in the order in which they were sent.
 */
const NOW_IN_TURN = later(NOW, `(given.n - 1) * interval '1 microsecond'`);

/** An id by a key of an active record. */
const idOf = (column: KeyColumn, name: string): string =>
  `(SELECT r.id FROM records r WHERE ${atRecordKey(column, '$2::text', name)})`;

/** Several inputs as a relation `given`: `account_id`, `object_type`, their columns, `n`, and `record_id`. */
const severalInputs = (columns: readonly InputColumn[], by: NamedBy['by']): Naming => {
  const arrays = columns.map(([, type, array]) => `${array}::${type}[]`);
  const names = columns.map(([name]) => name);
  const id = by === 'id' ? 'name' : idOf(by, 'given.name');
  const relation = `(SELECT $1::uuid AS account_id, $2::text AS object_type, given.*, ${id} AS record_id
    FROM unnest(${arrays.join(', ')}) WITH ORDINALITY AS given (${names.join(', ')}, n) ${FENCE}) AS given`;
  return {
    given: (column) => `given.${column}`,
    from: (...others) => `FROM ${[relation, ...others].join(', ')}`,
    isNamed: `${isRecordOf('given')} AND ${by === 'id' ? 'true' : `r.${by} = given.name AND ${IS_ACTIVE}`}`,
    andCurrent,
    now: laterThanChange(NOW_IN_TURN),
  };
};

/**
 * One input is no relation: it would be planned anew at each use, because the planner knows that the arrays
 * have one element, and expects ten where it plans for all values. A cluster keeps the plan of a statement of
 * one table without subqueries.
 */
const oneInput = (columns: readonly InputColumn[], by: NamedBy['by']): Naming => {
  const sql = new Map(columns.map(([name, type, array]) => [name, `(${array}::${type}[])[1]`]));
  const given = (column: string): string => sql.get(column) ?? '1';
  const hasKey = (column: KeyColumn): string => {
    const isFound = `r.id = ${idOf(column, given('name'))} AND ${IS_ACTIVE}`;
    return `r.${column} = ${given('name')} AND ${butOnCluster(isFound)}${onCluster('r.archived_at IS NULL')}`;
  };
  const isNamed = by === 'id' ? `r.id = ${given('name')}` : hasKey(by);
  return {
    given,
    from: (...others) => (others.length === 0 ? '' : `FROM ${others.join(', ')}`),
    isNamed: `r.account_id = $1 AND r.object_type = $2 AND ${isNamed}`,
    andCurrent: (version) => butOnCluster(andCurrent(version)),
    now: laterThanChange(NOW),
  };
};

/** A write of one record. @param version the parameter with the version of the configuration */
const oneWrite = (version: string, write: Statement): Statement => ({
  ...write,
  sharesCommit: true,
  cluster: { steps: [requireConfiguration(version), write], isRefusable: true },
});

function forEachName(
  name: string,
  text: (naming: Naming) => string,
  {
    columns = [],
    writes,
  }: {
    readonly columns?: readonly InputColumn[];
    /** Of statements that write: the parameter with the version of the configuration. */
    readonly writes?: string;
  } = {},
): NamedStatements {
  const by = (column: NamedBy['by']): NamedStatements['id'] => {
    const isKey = column !== 'id';
    const given: readonly InputColumn[] = [['name', isKey ? 'text' : 'uuid', '$3'], ...columns];
    const suffix = `${name}${isKey ? `_by_${column}` : ''}`;
    const one = { name: `record_${suffix}`, text: text(oneInput(given, column)) };
    return {
      one: writes === undefined ? one : oneWrite(writes, one),
      several: { name: `records_${suffix}`, text: text(severalInputs(given, column)) },
    };
  };
  return { id: by('id'), unique_key: by('unique_key'), external_id: by('external_id') };
}

/** The id of a record that is inserted. A cluster takes no volatile function there. */
const idAt = (instant: string): string => `${butOnCluster('uuid_v7')}${onCluster('id_at')}(${instant})`;

const INSERT = `INSERT INTO records AS r
  (account_id, object_type, id, fields, key_form, changed_by, created_at, updated_at)`;
const fieldsOf = (fields: string, dates: string, instant: string): string =>
  `jsonb_strip_nulls(${fields} || ${assignedDates(dates, instant)})`;

/**
 * $1 account, $2 object type, $3 values as JSON objects, $4 names of the assigned dates to set, each a text[]
 * as text, $5 the author (WriteAuthors), $6 the forms in which keys are compared, or null, $7 configuration
 * version. Returns no row when the configuration has changed.
 */
export const INSERT_RECORD: Statement = oneWrite('$7', {
  name: 'record_insert',
  text: `${INSERT}
    ${butOnCluster('SELECT')} ${onCluster('VALUES (')} $1::uuid, $2::text, ${idAt(NOW)},
      ${fieldsOf('($3::text[])[1]::jsonb', '(($4::text[])[1]::text[])', NOW)}, ($6::text[])[1], $5::jsonb, ${NOW}, ${NOW}
    ${butOnCluster(`WHERE ${configurationIsCurrent('$1', '$7')}`)} ${onCluster(')')}
    RETURNING ${VERSIONED_COLUMNS}`,
});

/**
 * As INSERT_RECORD, $7 what the rows are written in the order of, $8 configuration version. A record that has
 * a key of another, or of one before it, is left out.
 */
export const INSERT_RECORDS: Statement = {
  name: 'records_insert',
  text: `${INSERT}
    SELECT ${homeId('$1::uuid')}, $2::text, ${idAt('given.at')},
      ${fieldsOf('given.fields', 'given.dates', 'given.at')}, given.key_form, $5::jsonb, given.at, given.at
    FROM (SELECT given.fields::jsonb AS fields, given.dates::text[] AS dates, ${NOW_IN_TURN} AS at,
        given.turn, given.key_form
      FROM unnest($3::text[], $4::text[], $7::text[], $6::text[])
        WITH ORDINALITY AS given (fields, dates, turn, key_form, n)
      ${FENCE}) AS given ${homeRow('$1')}
    WHERE ${configurationIsCurrent('$1', '$8')}
    ORDER BY given.turn COLLATE "C", given.at ON CONFLICT DO NOTHING
    RETURNING ${VERSIONED_COLUMNS},
      (extract(epoch FROM r.created_at - statement_timestamp()) * 1000000)::int + 1 AS n`,
};

/** Whether a record has one of the versions of a bigint[]; null for any. */
const hasVersion = (versions: string): string =>
  `(${versions}::bigint[] IS NULL OR ${RECORD_VERSION} = ANY (${versions}::bigint[]))`;

/** A cluster takes the text of names apart: what a type reads may depend on settings. */
const datesOf = (text: string): string =>
  `${butOnCluster(text)}${onCluster(`string_to_array(translate(${text}, '{}"', ''), ',')`)}`;

const merged = ({ given, now }: Naming): string =>
  `jsonb_strip_nulls(r.fields || ${given('changes')} || ${assignedDates(datesOf(given('dates')), now)})`;

/** Whether fields have few enough bytes, or no more than before. */
const fits = (after: string, fields: (all: string) => string, most: string): string => {
  const bytes = (all: string): string => `octet_length(${fields(all)}::text)`;
  return `(${bytes(after)} <= ${most}::bigint OR ${bytes(after)} <= ${bytes('r.fields')})`;
};

/** The columns of a StoredRecord without some fields, and the place of the input. */
const placed = (hidden: string, { given }: Naming): string =>
  `${versioned(columnsWithout(hidden))}, (${given('n')})::int AS n`;

/**
 * Updates active records. $1 account, $2 object type, $3 names, $4 values as JSON objects, with null for what
 * is cleared, $5 names of the assigned dates to set, each a text[] as text, $6 keys that a record must have,
 * as JSON objects, $7 the ids that they must have or null, $8 the most bytes of the fields, $9 fields that do
 * not count, $10 the most bytes of all fields, or null, $11 the versions of which each must have one, or
 * null, $12 fields that are not returned, $13 the author, $14 the forms in which keys are compared, or null,
 * $15 configuration version. A record that is larger already may be changed if it does not grow. The sizes
 * are those of the record that this statement finds after waiting for others, so concurrent updates cannot
 * exceed the limit together.
 */
export const UPDATE_RECORDS = forEachName(
  'update',
  (input) => {
    const { given } = input;
    const after = merged(input);
    return `UPDATE records r SET fields = ${after}, changed_by = $13::jsonb, updated_at = ${input.now},
      key_form = CASE WHEN ${given('changes')} ? 'email' THEN ${given('key_form')} ELSE r.key_form END
    ${input.from()}
    WHERE ${input.isNamed} AND ${IS_ACTIVE} AND r.fields @> ${given('keys')}
      AND (${given('id')} IS NULL OR r.id = ${given('id')}) AND ${hasVersion('$11')} ${input.andCurrent('$15')}
      AND ${fits(after, (all) => `(${all} - $9::text[])`, '$8')}
      AND ($10::bigint IS NULL OR ${fits(after, (all) => all, '$10')})
    RETURNING ${placed('$12', input)}`;
  },
  {
    writes: '$15',
    columns: [
      ['changes', 'jsonb', '$4'],
      ['dates', 'text', '$5'],
      ['keys', 'jsonb', '$6'],
      ['id', 'uuid', '$7'],
      ['key_form', 'text', '$14'],
    ],
  },
);

/**
 * Archives active records. $1 account, $2 object type, $3 names, $4 the versions of which each must have one,
 * or null, $5 fields that are not returned, $6 the author, $7 who archives, $8 configuration version.
 */
export const ARCHIVE_RECORDS = forEachName(
  'archive',
  (input) => `UPDATE records r SET archived_at = ${input.now}, archived_by = $7, changed_by = $6::jsonb
    ${input.from()} WHERE ${input.isNamed} AND ${IS_ACTIVE} AND ${hasVersion('$4')} ${input.andCurrent('$8')}
    RETURNING ${placed('$5', input)}`,
  { writes: '$8' },
);

/** Makes archived records active again. $1 to $6 as of ARCHIVE_RECORDS, $3 ids, $7 configuration version. */
export const RESTORE_RECORDS = forEachName(
  'restore',
  (input) => `UPDATE records r
    SET archived_at = NULL, archived_by = NULL, changed_by = $6::jsonb, updated_at = ${input.now}
    ${input.from()} WHERE ${input.isNamed} AND r.archived_at IS NOT NULL AND ${hasVersion('$4')}
      ${input.andCurrent('$7')}
    RETURNING ${placed('$5', input)}`,
  { writes: '$7' },
).id;

const read = (name: string, columns: (input: Naming) => string, end = ''): NamedStatements =>
  forEachName(
    name,
    (input) => `SELECT ${columns(input)} ${input.from('records r')} WHERE ${input.isNamed} ${end}`,
  );

/** $1 account, $2 object type, $3 names, $4 fields that are not returned. */
export const FIND_RECORDS = read('find', (input) => placed('$4', input));

/**
 * $1 account, $2 object type, $3 names. Locks the records until the transaction ends. All who lock several
 * records do so in the order of their ids, as `recordsByIds` has them, so no two deadlock.
 */
export const LOCK_RECORDS = read('lock_named', () => 'r.id', 'ORDER BY r.id FOR NO KEY UPDATE OF r');

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

import { butOnCluster, onCluster, unknownWhenPlanned, type Statement } from '../database/index.js';
import { READ_RENAMED, RENAMED_USERS } from '../directory/index.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../fields/index.js';
import { PAGE_ROWS } from '../paging/index.js';
import { countRecords, READ_COUNT } from './counts/record-counts.statements.js';
import type { NamedBy } from './record-key.js';
import { atRecordKey, CHANGED_AT, isRecordOf, RECORD_VERSION } from './records.sql.js';

/**
 * The view of a record (clause 2.2) as JSON text, made by PostgreSQL. ADR 7 tells why.
 */

const made = new Map<string, Statement>();

/**
 * Returns the statement of that name, whose text is made once: the driver compares it at each use.
 * @param name of one text only
 */
function madeStatement(
  name: string,
  text: () => string,
  options: Omit<Statement, 'name' | 'text'> = {},
): Statement {
  const known = made.get(name) ?? { ...options, name, text: text() };
  made.set(name, known);
  return known;
}

/** Which keys views have. */
export interface ViewShape {
  readonly objectType: ObjectType;
  readonly hasExtras: boolean;
}

/** Returns the shape of views with these extra properties, which are no default fields. */
export function viewShape(objectType: ObjectType, extras: readonly string[]): ViewShape {
  return { objectType, hasExtras: extras.length > 0 };
}

/** What tells a statement for views of a shape from one for others. */
const shapeName = ({ objectType, hasExtras }: ViewShape): string => `${objectType}_${hasExtras ? 'many' : 0}`;

/** Returns a property as recordViewText takes it. */
export const keyOf = (name: string): string => `,${JSON.stringify(name)}:`;

/** Returns the values of the parameters of a shape with these extra properties. */
export const extraValues = (extras: readonly string[]): readonly unknown[] =>
  extras.length === 0 ? [] : [extras, extras.map(keyOf)];

/** A value of `fields` as JSON: jsonb writes strings as JSON does. */
const value = (name: string): string => `COALESCE((r.fields -> ${name})::text, 'null')`;

/** The extra properties. @param first the parameter with their names, which their keys follow */
const extraTexts = (first: number): string =>
  `(SELECT string_agg(key || ${value('name')}, '' ORDER BY n)
    FROM unnest($${first}::text[], $${first + 1}::text[]) WITH ORDINALITY AS shown (name, key, n))`;

/**
 * The text of the view of a record `r`, whose fields are `viewFields`. `||` costs less than concat.
 * @param first the parameter with the extra properties, where the shape has some; the keys of these follow
 */
const recordViewText = ({ objectType, hasExtras }: ViewShape, first: number): string => {
  const defaults = OBJECT_TYPE_RULES[objectType].defaultFields.map(
    (name) => `'${keyOf(name)}' || ${value(`'${name}'`)}`,
  );
  const values = hasExtras ? [...defaults, extraTexts(first)] : defaults;
  return `('{"id":"' || r.id || '"' || ${values.join(' || ')} ||
    ',"created_at":"' || iso_utc(r.created_at) || '","updated_at":"' || iso_utc(${CHANGED_AT}) || '","archived":' ||
    CASE WHEN r.archived_at IS NULL THEN 'false}'
      ELSE '"' || iso_utc(r.archived_at) || '","archived_by":' || COALESCE(to_json(r.archived_by)::text, 'null') || '}'
    END)`;
};

/** That text; null where the fields have more bytes. */
const textWithin = (bytes: string, shape: ViewShape, first: number): string =>
  `CASE WHEN pg_column_size(r.fields) <= ${bytes} THEN ${recordViewText(shape, first)} END`;

const SYSTEM = `jsonb_build_object('record_id', r.id, 'create_date', iso_utc(r.created_at),
  'last_modified_date', iso_utc(r.updated_at))`;

/** The columns of a record `r` that its view is made of, beside its fields. */
const VIEW_COLUMNS = 'r.id, r.archived_at, r.archived_by, r.created_at, r.updated_at';

/** The fields of a record `r`, decompressed once: each operator on a large value would do so again. */
const viewFields = ({ hasExtras }: ViewShape): string =>
  `r.fields || ${hasExtras ? SYSTEM : `'{}'`} AS fields`;

/** Where a page starts: at an offset, or behind a record. */
type PageStart = 'offset' | 'after';

const matching = (active: boolean, [account, type] = ['$1', '$2']): string =>
  `r.account_id = ${account} AND r.object_type = ${type}${active ? ' AND r.archived_at IS NULL' : ''}`;

const UNKNOWN_TYPE: [string, string] = [unknownWhenPlanned('$1::uuid'), unknownWhenPlanned('$2::text')];

/** A condition on a record `r`: it is at $5, an offset, or behind it, or behind the record with the id $5. */
const startsAt = (active: boolean, start: PageStart): string =>
  start === 'after'
    ? 'r.id > $5::uuid'
    : `r.id >= (SELECT r.id FROM records r WHERE ${matching(active, UNKNOWN_TYPE)} ORDER BY r.id
        OFFSET ${unknownWhenPlanned('$5::bigint')} LIMIT 1)`;

/**
 * Views as JSON, a line each, with commas between them: a text of JSON has no line break. The line of a
 * record with too many bytes is its id. Null for no record.
 * @param records SQL of rows with `id` and `view`
 */
const lines = (records: string, order: string): string =>
  // OFFSET 0 keeps PostgreSQL from making each view twice.
  `(SELECT string_agg(COALESCE(view, id::text), ',' || chr(10) ORDER BY ${order}) AS views
    FROM (${records} OFFSET 0) AS r) AS page`;

/**
 * $1 account, $2 object type, $3 most rows, $4 bytes, $5 the offset or the id of the record behind which the
 * page starts, then the names and the keys of extra properties, where the shape has some, and whether to
 * count. One row: `views`, a line for each record, its id where it has more than $4 bytes, and the count of
 * all records that match. There is a statement for each start and for active records only, so that each is
 * planned for its own index.
 *
 * A page has a bound that PostgreSQL knows, beside $3, which it does not know when it plans for all values.
 * Without it, that plan expects a tenth of the records, so that each list is planned anew, which takes longer
 * than to run it (ADR 7). A cluster reads the lines of a page behind a record by a statement of its own.
 */
export const listStatement = (active: boolean, start: PageStart, shape: ViewShape): Statement => {
  const inLines = start === 'after' && !shape.hasExtras;
  const whole = (): string => {
    const page = `SELECT ${VIEW_COLUMNS}, ${viewFields(shape)} FROM records r
      WHERE ${matching(active)} AND ${startsAt(active, start)} ORDER BY r.id LIMIT ${PAGE_ROWS + 1}`;
    const records = `SELECT r.id, ${textWithin('$4', shape, 6)} AS view FROM (SELECT * FROM (${page}) AS r LIMIT $3) AS r`;
    return `page.views, CASE WHEN ${shape.hasExtras ? '$8' : '$6'}::bool THEN ${countRecords(active)} END AS count, ${RENAMED_USERS}
      FROM ${lines(records, 'id')}`;
  };
  const ofLines = (): string => `COALESCE(${textWithin('$4', shape, 6)}, r.id::text) AS views FROM records r
      WHERE ${matching(active)} AND ${startsAt(active, start)} ORDER BY r.id LIMIT $3`;
  return madeStatement(
    `record_list_${active ? 'active' : 'all'}_${start}_${shapeName(shape)}`,
    () => `SELECT ${inLines ? butOnCluster(whole()) + onCluster(ofLines()) : whole()}`,
    inLines
      ? { cluster: { lines: 'views', beside: [READ_RENAMED, ...READ_COUNT[active ? 'active' : 'all']] } }
      : {},
  );
};

/**
 * $1 account, $2 object type, $3 ids, $4 bytes, then names and keys of extra properties, where the shape has
 * some. One row: the views of records as in lists, in the order of the ids.
 */
export const viewsStatement = (shape: ViewShape): Statement =>
  madeStatement(`record_views_${shapeName(shape)}`, () => {
    const wanted = `(SELECT $1::uuid AS account_id, $2::text AS object_type, wanted.*
      FROM unnest(${unknownWhenPlanned('$3::uuid[]')}) WITH ORDINALITY AS wanted (record_id, n) OFFSET 0) AS wanted`;
    const records = `SELECT r.n, r.id, ${textWithin('$4', shape, 5)} AS view FROM (
      SELECT wanted.n, ${VIEW_COLUMNS}, ${viewFields(shape)}
      FROM ${wanted} JOIN records r ON ${isRecordOf('wanted')} OFFSET 0) AS r`;
    return `SELECT page.views, ${RENAMED_USERS} FROM ${lines(records, 'n')}`;
  });

/** $1 account, $2 object type. For a search without conditions. */
export const countStatement = (active: boolean): Statement => ({
  name: `record_count_${active ? 'active' : 'all'}`,
  text: `SELECT ${countRecords(active)} AS count`,
});

/**
 * $1 account, $2 object type, $3 the id, or a key of an active record, then names and keys of extra
 * properties, where there are some.
 */
export const viewStatement = (shape: ViewShape, by: NamedBy['by'] = 'id'): Statement =>
  madeStatement(
    `record_view_${by === 'id' ? '' : `by_${by}_`}${shapeName(shape)}`,
    () => {
      const ofId = 'r.account_id = $1 AND r.object_type = $2 AND r.id = $3';
      const where = by === 'id' ? ofId : atRecordKey(by, '$2::text', '$3::text');
      // OFFSET 0 keeps PostgreSQL from making the fields once for each value.
      const one = `, ${RENAMED_USERS} FROM (SELECT ${VIEW_COLUMNS}, ${viewFields(shape)} FROM records r
        WHERE ${where} ${by === 'id' ? 'OFFSET 0' : ''}) AS r`;
      const from = shape.hasExtras ? one : butOnCluster(one) + onCluster(`FROM records r WHERE ${where}`);
      return `SELECT ${recordViewText(shape, 4)}::json AS view, ${RECORD_VERSION} AS version ${from}`;
    },
    shape.hasExtras ? { isBrief: true } : FIELDS_ALONE,
  );

/** A view that has nothing but the fields needs no subquery. */
const FIELDS_ALONE = { isBrief: true, cluster: { beside: [READ_RENAMED] } };

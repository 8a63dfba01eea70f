import { parseList, type Condition, type TriggerOperator } from '../../engine/index.js';
import { firstIdAt, isId } from '../../database/index.js';
import type { Directory } from '../../directory/index.js';
import { canonicalText } from '../../text/canonical-text.js';
import { textProblem } from '../../text/text-problem.js';
import { keyForm } from '../record-key.js';
import { atRecordKey } from '../records.sql.js';
import type { SearchedField } from './searched-field.js';
import type { SqlValues } from './sql-values.js';

/** What the SQL of conditions is made with. */
export interface ConditionParts {
  readonly values: SqlValues;
  readonly directory: Directory;
  readonly operators: ReadonlyMap<string, TriggerOperator>;
}

const NUMBER = '[+-]?[0-9]+([.][0-9]+)?';
/** More digits are none of a stored number, and may be more than PostgreSQL computes with. */
const MOST_DIGITS = 16_384;
/** The stored form of an instant, of days that there are. The migration of `index_key` has it too. */
const INSTANT =
  "'^(?!0000)([0-9]{4}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)|" +
  '([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)' +
  "T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][.][0-9]{3}Z$'";

/** SQL for the number that a text is; null where it is none. @param form what numbers look like */
export const numberIn = (text: string, form = NUMBER, most = MOST_DIGITS): string =>
  `CASE WHEN octet_length(${text}) <= ${most} AND ${text} ~ '^${form}$' THEN (${text})::numeric END`;

/** SQL for the instant that a text is, a text by whose bytes instants are ordered; null where it is none. */
export const instantIn = (text: string): string =>
  `CASE WHEN ${text} ~ ${INSTANT} THEN ${text} END COLLATE "C"`;

const NEGATED: ReadonlyMap<string, string> = new Map([
  ['neq', 'eq'],
  ['not_in', 'in'],
  ['not_contains', 'contains'],
  ['is_not_empty', 'is_empty'],
]);
export const ORDERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['gt', ['>']],
  ['gte', ['>=']],
  ['lt', ['<']],
  ['lte', ['<=']],
  ['between', ['>=', '<=']],
]);
export const EQUAL: ReadonlySet<string> = new Set(['eq', 'in']);

/** PostgreSQL looks for a longer part of a text in quadratic time. */
const MOST_SOUGHT = 250;

/** Tests of the form of a text and an operand in that form. */
const PARTS: ReadonlyMap<string, (text: string, operand: string, length: number) => string> = new Map([
  [
    'contains',
    (text, operand, length) =>
      length > MOST_SOUGHT ? `contains_text(${text}, ${operand})` : `strpos(${text}, ${operand}) > 0`,
  ],
  ['starts_with', (text, operand) => `starts_with(${text}, ${operand})`],
  ['ends_with', (text, operand) => `right(${text}, char_length(${operand})) = ${operand}`],
]);

/** Whether a search can evaluate an operator on fields of a comparison. */
export const isSearchable = (operator: TriggerOperator, comparison: SearchedField['comparison']): boolean => {
  const id = NEGATED.get(operator.id) ?? operator.id;
  if (operator.sql !== undefined || id === 'is_empty' || PARTS.has(id)) return true;
  return comparison !== 'none' && (EQUAL.has(id) || ORDERS.has(id));
};

/** Compiles a valid condition: SQL that is true or false, and never null. */
export function conditionSql(condition: Condition, field: SearchedField, parts: ConditionParts): string {
  const { operator, value } = condition;
  const opposite = NEGATED.get(operator);
  if (opposite !== undefined)
    return `(NOT ${conditionSql({ ...condition, operator: opposite }, field, parts)})`;
  if (operator === 'is_empty') return `(${field.value} IS NULL)`;
  const own = parts.operators.get(operator);
  if (own?.sql !== undefined) {
    const parameter = (given: string | readonly string[]): string =>
      parts.values.add(given, typeof given === 'string' ? 'text' : 'text[]');
    const stored = field.comparison === 'date' ? `iso_utc(${field.value})` : field.value;
    return `COALESCE((${own.sql(value, { stored, parameter })}), false)`;
  }
  const operands = operandsOf(condition, field);
  if (field.comparison === 'date') return dateSql(operator, operands, { field, ...parts });
  if (field.comparison === 'user' && EQUAL.has(operator)) return userSql(operands, { field, ...parts });
  if (field.column !== undefined && EQUAL.has(operator)) {
    const { column, name, handle } = field;
    const keys = operands.map((operand) => keyForm(handle.definition.objectType, name, operand));
    return columnSql(column, keys, parts);
  }
  return `COALESCE(${comparedSql(operator, operands, { field, ...parts })}, false)`;
}

interface FieldParts extends ConditionParts {
  readonly field: SearchedField;
}

/** The operands of a valid condition in stored form, or as they are for a part of a text. */
export function operandsOf({ operator, value }: Condition, { handle }: SearchedField): readonly string[] {
  const all = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  if (PARTS.has(operator)) return all.map(String);
  const parsed = parseList(all, handle);
  return parsed.ok ? parsed.operand : [];
}

/** SQL for the form of an operand, which PostgreSQL makes once for a statement. */
const form = (operand: string, values: SqlValues): string => `search_text(${values.add(operand, 'text')})`;

const isOneOf = (value: string, all: readonly string[]): string =>
  all.length === 1 ? `${value} = ${all[0] ?? ''}` : `${value} = ANY (ARRAY[${all.join(', ')}]::text[])`;

function comparedSql(
  operator: string,
  operands: readonly string[],
  { field: { comparison, value }, values }: FieldParts,
): string {
  // No stored text has them. Types refuse them but in parts of texts.
  const storable = operands.filter((operand) => textProblem(operand) === undefined);
  if (storable.length === 0) return 'false';
  const text = `search_text(${value})`;
  const forms = storable.map((operand) => form(operand, values));
  const [first = ''] = forms;
  const part = PARTS.get(operator);
  if (part !== undefined) return part(text, first, storable[0]?.length ?? 0);
  const signs = ORDERS.get(operator);
  const ordered = (left: string, right: readonly string[]): string =>
    `(${(signs ?? []).map((sign, n) => `${left} ${sign} ${right[n] ?? ''}`).join(' AND ')})`;
  const asText = signs === undefined ? isOneOf(text, forms) : ordered(`${text} COLLATE root_order`, forms);
  if (comparison !== 'number' && comparison !== 'instant') return asText;
  const type = comparison === 'number' ? 'numeric' : 'text';
  // Numbers that an earlier version has stored can have an exponent.
  const key = comparison === 'number' ? numberIn(value, `${NUMBER}(e[+-][0-9]{1,3})?`) : instantIn(value);
  const given = storable.map((operand) => values.add(operand, type));
  const byType = signs === undefined ? `(${key}) IN (${given.join(', ')})` : ordered(`(${key})`, given);
  // A value of an earlier type of the field is compared as a text.
  return `COALESCE(${byType}, ${asText})`;
}

/** Compares a unique key by its index, or by that of keys which are not stored in the form of comparisons. */
function columnSql(
  column: NonNullable<SearchedField['column']>,
  operands: readonly string[],
  { values }: ConditionParts,
): string {
  const key = `r.${column}`;
  if (column === 'id') {
    const ids = operands.map(canonicalText).filter((operand) => isId(operand));
    return `${key} = ANY (${values.add(ids, 'uuid[]')})`;
  }
  const forms = formsOf(operands, values);
  return `(${key} IS NOT NULL AND (${key} = ANY (${forms}) OR (${isOdd(column, forms)})))`;
}

const formsOf = (operands: readonly string[], values: SqlValues): string =>
  `ARRAY[${operands.map((operand) => form(operand, values)).join(', ')}]`;

/** Whether a record `r` has one of these keys, stored in another form than that of comparisons. */
const isOdd = (column: string, forms: string): string =>
  `search_text(r.${column}) <> r.${column} AND search_text(r.${column}) = ANY (${forms})`;

/**
 * SQL for the ids of active records with the keys of a valid condition: of those that are stored as they are
 * compared, and of the others, which have an index of their own. Where PostgreSQL believes that the account
 * has few records, it would take one condition of both for a reason to read all of them.
 * @returns undefined for a condition that no key has all records of
 */
export function idsByKey(
  condition: Condition,
  field: SearchedField,
  { values }: Pick<ConditionParts, 'values'>,
): string | undefined {
  const { column, name, handle } = field;
  if (!EQUAL.has(condition.operator) || (column !== 'unique_key' && column !== 'external_id'))
    return undefined;
  const forms = formsOf(
    operandsOf(condition, field).map((operand) => keyForm(handle.definition.objectType, name, operand)),
    values,
  );
  return `SELECT r.id FROM unnest(${forms}) AS given (key) CROSS JOIN LATERAL
        (SELECT r.id FROM records r WHERE ${atRecordKey(column, '$2::text', 'given.key')}) AS r
      UNION SELECT r.id FROM records r WHERE r.account_id = $1::uuid AND r.object_type = $2::text
        AND r.archived_at IS NULL AND r.${column} IS NOT NULL AND ${isOdd(column, forms)}`;
}

/** Finds users by the names that records have of them, where they are meant by whole e-mails. */
function userSql(operands: readonly string[], { field, values, directory }: FieldParts): string {
  const stored = field.column === undefined ? field.stored : `r.${field.column}`;
  const meant = namesOfUsers(operands, directory).map((name) => values.add(name, 'text'));
  return meant.length === 0 ? 'false' : `(${stored} IS NOT NULL AND ${isOneOf(stored, meant)})`;
}

/** The texts by which records name the users who are meant by e-mails, in whatever form these are. */
export function namesOfUsers(emails: readonly string[], directory: Directory): readonly string[] {
  const byForm = namesByForm(directory);
  const isOwn = (email: string): boolean => directory.names.emailOf(email) === email;
  const named = emails.flatMap((email) => byForm.get(canonicalText(email)) ?? []);
  return [...new Set([...named, ...emails.filter(isOwn)])];
}

const NAMES = new WeakMap<Directory, ReadonlyMap<string, readonly string[]>>();

/** The texts by which records name users, by the form of their e-mails, made once of each directory. */
function namesByForm(directory: Directory): ReadonlyMap<string, readonly string[]> {
  const present = NAMES.get(directory);
  if (present !== undefined) return present;
  const { names, users } = directory;
  const byForm = new Map<string, string[]>();
  const add = (email: string, name: string): void => {
    const form = canonicalText(email);
    const known = byForm.get(form);
    if (known === undefined) byForm.set(form, [name]);
    else known.push(name);
  };
  for (const email of users.keys()) if (names.emailOf(email) === email) add(email, email);
  for (const [name, email] of names.renamed) add(email, name);
  NAMES.set(directory, byForm);
  return byForm;
}

/** The instants from the first on, and before the second, in whole milliseconds as records show them. */
type Span = readonly [from: number | undefined, until: number | undefined];

const SPANS: Readonly<Record<string, (first: number, second: number) => Span>> = {
  gt: (first) => [first + 1, undefined],
  gte: (first) => [first, undefined],
  lt: (first) => [undefined, first],
  lte: (first) => [undefined, first + 1],
  between: (first, second) => [first, second + 1],
};

/** SQL for a range of a column, or of a key, of instants. @param textOf an instant as the column has it */
export function dateRange(
  operator: string,
  operands: readonly string[],
  [column, textOf]: readonly [column: string, textOf: (at: Date) => string],
): string {
  const [first = 0, second = 0] = operands.map((operand) => new Date(operand).getTime());
  const spans = SPANS[operator]
    ? [SPANS[operator](first, second)]
    : operands.map((operand): Span => [new Date(operand).getTime(), new Date(operand).getTime() + 1]);
  const ranges = spans.map(([from, until]) => {
    const low = from === undefined ? [] : [`${column} >= ${textOf(new Date(from))}`];
    const high = until === undefined ? [] : [`${column} < ${textOf(new Date(until))}`];
    return `(${[...low, ...high].join(' AND ')})`;
  });
  return `(${ranges.join(' OR ')})`;
}

/** Compares a column of instants. The ids of records have the instant of their creation too, and an index. */
function dateSql(operator: string, operands: readonly string[], { field, values }: FieldParts): string {
  // ISO 8601 writes years above 9999 in a way that PostgreSQL does not read.
  const text = (at: Date): string => (at.getUTCFullYear() > 9999 ? 'infinity' : at.toISOString());
  const range = dateRange(operator, operands, [field.value, (at) => values.add(text(at), 'timestamptz')]);
  if (field.name !== 'create_date') return range;
  const ids = dateRange(operator, operands, ['r.id', (at) => values.add(firstIdAt(at), 'uuid')]);
  return `(${ids} AND ${range})`;
}

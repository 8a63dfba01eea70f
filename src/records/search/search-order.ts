import type { FieldLookup } from '../../engine/index.js';
import type { Failures } from '../../errors/errors.js';
import type { ObjectType } from '../../fields/index.js';
import { cursorOfText, textOfCursor } from '../../paging/index.js';
import { shownName } from '../../text/shown-name.js';
import { instantIn, numberIn } from './condition-sql.js';
import { MOST_CURSOR } from './search.dto.js';
import { fieldNamed, type SearchedField } from './searched-field.js';
import type { SqlValues } from './sql-values.js';

/** One key of a sort as it is asked for. */
export interface SortName {
  readonly name: string;
  readonly descending: boolean;
}

/** One key of the order of a search. */
export interface SortKey {
  /** The value as SQL, on a table of records `r`. Null for an empty field, which comes last. */
  readonly sql: string;
  /** The type of its values in a cursor. */
  readonly type: 'text' | 'numeric' | 'integer' | 'timestamptz' | 'uuid';
  readonly descending: boolean;
  readonly isNullable: boolean;
}

/** A value of a cursor: that of a sort key as text, null for an empty field. */
export type SortValue = string | null;

/** The key that comes last, and makes places unique. */
const BY_ID: SortKey = { sql: 'r.id', type: 'uuid', descending: false, isNullable: false };

/** Numbers of more digits than this have no order. */
const MOST_DIGITS = 1_000;
/** As many characters of a text decide its place. */
const MOST_CHARACTERS = 256;

/** Reads the sort. @param failures receives every name of no field, and every one that is repeated */
export function readSort(
  sort: readonly string[],
  objectType: ObjectType,
  { fields, failures }: { readonly fields: FieldLookup; readonly failures: Failures },
): readonly SortName[] {
  const names = new Set<string>();
  return sort.map((given, index) => {
    const descending = given.startsWith('-');
    const asked = descending ? given.slice(1) : given;
    const name = fieldNamed(asked);
    const isKnown = fields(objectType, name) !== undefined;
    const problem = isKnown
      ? 'sort must not name one twice'
      : `Unknown field of ${objectType}: ${shownName(asked)}`;
    if (!isKnown || names.has(name)) failures.add(() => ({ field: `sort[${index}]`, message: problem }));
    names.add(name);
    return { name, descending };
  });
}

/** Returns what tells an order from others: a cursor is a place in one order. */
export function orderText(objectType: ObjectType, sort: readonly SortName[]): string {
  return [objectType, ...sort.map(({ name, descending }) => (descending ? `-${name}` : name))].join(',');
}

/** Returns the opaque text of a place. @param order the object type and the sort in which it is a place */
export function searchCursor(order: string, at: readonly SortValue[]): string {
  return cursorOfText(JSON.stringify([order, ...at]));
}

/** The values of the keys at a place; undefined for no cursor of that order. PostgreSQL tells their types. */
export function readSearchCursor(
  cursor: string,
  order: string,
  keys: readonly SortKey[],
): readonly SortValue[] | undefined {
  const [given, ...at] = listIn(textOfCursor(cursor, MOST_CURSOR) ?? '');
  const isPlace = keys.every(
    ({ isNullable }, index) => typeof at[index] === 'string' || (at[index] === null && isNullable),
  );
  return given === order && at.length === keys.length && isPlace ? (at as SortValue[]) : undefined;
}

function listIn(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** Returns the key of a field: numbers by size, options in their order, texts alphabetically. */
function sortKey(
  { name, handle, comparison, value }: SearchedField,
  descending: boolean,
  values: SqlValues,
): SortKey {
  const { type, options } = handle.definition;
  const key = (sql: string, kind: SortKey['type']): SortKey => ({
    sql,
    type: kind,
    descending,
    isNullable: true,
  });
  if (name === 'id') return { ...BY_ID, descending };
  if (comparison === 'date') return { sql: value, type: 'timestamptz', descending, isNullable: false };
  if (comparison === 'number') return key(numberIn(value, undefined, MOST_DIGITS), 'numeric');
  if (comparison === 'instant') return key(instantIn(value), 'text');
  if (type === 'enumeration') {
    const names = values.add(
      options.map(({ internalName }) => internalName),
      'text[]',
    );
    // What is no option any more comes behind those that are.
    const place = `COALESCE(array_position(${names}, ${value}), ${options.length + 1})`;
    return key(`CASE WHEN ${value} IS NOT NULL THEN ${place} END`, 'integer');
  }
  return key(`left(search_text(${value}), ${MOST_CHARACTERS}) COLLATE root_order`, 'text');
}

/** The keys of an order, the id at the end. Creation order is that of the ids (ADR 1), which has an index. */
export function sortKeys(
  names: readonly SortName[],
  field: (name: string) => SearchedField,
  values: SqlValues,
): readonly [SortKey, ...SortKey[]] {
  const [first, second] = names;
  if (first?.name === 'id' || (first?.name === 'create_date' && second === undefined))
    return [{ ...BY_ID, descending: first.descending }];
  const [key, ...others] = names.map(({ name, descending }) => sortKey(field(name), descending, values));
  return key === undefined ? [BY_ID] : [key, ...others, BY_ID];
}

export const orderBy = (keys: readonly SortKey[]): string =>
  keys
    .map(
      ({ sql, descending, isNullable }) =>
        `${sql}${descending ? ' DESC' : ''}${isNullable ? ' NULLS LAST' : ''}`,
    )
    .join(', ');

/** Returns the condition for the records behind a place. @param at the values of the keys there */
export function behind(keys: readonly SortKey[], at: readonly SortValue[], values: SqlValues): string {
  const places = keys.map((key, index) => place(key, at[index] ?? null, values));
  const ranges = places.flatMap(({ after }, index) => {
    const same = places.slice(0, index).map(({ equal }) => equal);
    return after === undefined ? [] : [`(${[...same, after].join(' AND ')})`];
  });
  const [first] = places;
  // Without the first bound, PostgreSQL reads an index from its beginning.
  const bound = first?.from === undefined ? '' : `${first.from} AND `;
  return `(${bound}(${ranges.length === 0 ? 'false' : ranges.join(' OR ')}))`;
}

interface Place {
  readonly equal: string;
  /** Undefined where nothing comes behind it. */
  readonly after: string | undefined;
  /** A bound of both, of a key that has no nulls. */
  readonly from: string | undefined;
}

function place({ sql, type, descending, isNullable }: SortKey, value: SortValue, values: SqlValues): Place {
  if (value === null) return { equal: `${sql} IS NULL`, after: undefined, from: undefined };
  const given = values.add(value, type);
  const sign = descending ? '<' : '>';
  const after = `${sql} ${sign} ${given}`;
  return {
    equal: `${sql} = ${given}`,
    after: isNullable ? `(${after} OR ${sql} IS NULL)` : after,
    from: isNullable ? undefined : `${sql} ${sign}= ${given}`,
  };
}

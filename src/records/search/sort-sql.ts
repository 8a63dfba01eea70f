import type { SqlValues } from './sql-values.js';
import { instantIn, numberIn } from './condition-sql.js';
import type { SearchedField } from './searched-field.js';

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
export const BY_ID: SortKey = { sql: 'r.id', type: 'uuid', descending: false, isNullable: false };

/** Numbers of more digits than this have no order. */
const MOST_DIGITS = 1_000;

/** Returns the key of a field: numbers by size, options in their order, texts alphabetically. */
export function sortKey(
  { handle, comparison, value }: SearchedField,
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
  if (comparison === 'column') return { sql: value, type: 'timestamptz', descending, isNullable: false };
  if (comparison === 'number') {
    return key(`CASE WHEN octet_length(${value}) <= ${MOST_DIGITS} THEN ${numberIn(value)} END`, 'numeric');
  }
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
  return key(`sort_text(${value}) COLLATE root_order`, 'text');
}

/**
 * Returns the keys of an order with the id at the end. The order of creation is that of the ids (ADR 1), for
 * which there is an index.
 * @param fields those of the names
 */
export function sortKeys(
  names: readonly SortName[],
  fields: ReadonlyMap<string, SearchedField>,
  values: SqlValues,
): readonly SortKey[] {
  const [first, second] = names;
  if (first?.name === 'create_date' && second === undefined)
    return [{ ...BY_ID, descending: first.descending }];
  const keys = names.flatMap(({ name, descending }) => {
    const field = fields.get(name);
    return field === undefined ? [] : [sortKey(field, descending, values)];
  });
  return [...keys, BY_ID];
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

import type { KeySpan } from './condition.js';
import { isNoValue, KNOWN_KEY, keyOf, NO_KEY, UNKNOWN_KEY } from './key-span.js';
import type { SearchedField } from './searched-field.js';
import { BY_ID, orderBy, type SortKey, type SortValue } from './sort-sql.js';
import type { SqlValues } from './sql-values.js';

/**
 * What is left to test: what is `possible`, of all records of the type; what `holds`, where an index has
 * found those read; and the `rest`, where they are those of the owners whom a condition means.
 */
export type SourceTest = 'possible' | 'holds' | 'rest';

/** Records that a statement reads: `FROM` and `WHERE` for a table of records `r`, and their order. */
export interface Source {
  readonly from: string;
  readonly where: string;
  readonly orderBy: string;
  /** How they are tested. */
  readonly test: SourceTest;
}

/** The records behind a place, from the first on where it is undefined. */
export type Stage = (at: readonly SortValue[] | undefined) => Source;

/** What the statements of a search are made of. */
export interface SourceParts {
  readonly archived: boolean;
  readonly keys: readonly SortKey[];
  readonly values: SqlValues;
}

/** An index, and its field. */
export interface UsedIndex {
  /** SQL for its id; null where it is not ready. */
  readonly id: string;
  readonly field: SearchedField;
}

const RECORDS = 'r.account_id = $1::uuid AND r.object_type = $2::text';

/** All records of the type, read from their table. */
export const recordsStage =
  ({ archived, keys }: Pick<SourceParts, 'archived' | 'keys'>): Stage =>
  () => ({
    from: 'records r',
    where: archived ? RECORDS : `${RECORDS} AND r.archived_at IS NULL`,
    orderBy: orderBy(keys),
    test: 'possible',
  });

/** SQL for the keys of an index in a range, to which more conditions can be added. @param id SQL of its id */
export const keysIn = (range: string, id: string): string =>
  `SELECT k.key, k.record_id FROM record_index_keys k
      WHERE k.account_id = $1::uuid AND k.index_id = ${id} AND (${range})`;

/** Active records by the keys of a condition. */
export function spanStage(ranges: readonly string[], { id, field }: UsedIndex, parts: SourceParts): Stage {
  const { keys } = parts;
  return (at) => {
    const bound = idBound('k.record_id', at, parts);
    const branches = ranges.map((range) => keysIn(range, id) + bound);
    return joined(merged(branches, keys), isPresent(field), orderBy(keys));
  };
}

/** Active records by a condition on their table, which an index finds. */
export function foundStage(
  condition: string,
  parts: SourceParts,
): { readonly ids: string; readonly stage: Stage } {
  const { where } = recordsStage({ ...parts, archived: false })(undefined);
  const ids = `SELECT r.id AS record_id FROM records r WHERE ${where} AND (${condition})`;
  const stage: Stage = (at) =>
    joined(lazily(ids + idBound('r.id', at, parts), parts.keys), 'true', orderBy(parts.keys));
  return { ids, stage };
}

/** Names whose records are merged, each of which PostgreSQL plans for. */
const MOST_MERGED = 64;

/** Active records of owners. @param names what their column has */
export function ownerStage(names: readonly string[], parts: SourceParts): Stage {
  const { keys, values } = parts;
  const { where } = recordsStage({ ...parts, archived: false })(undefined);
  const isOwned = (each: string): string => `${where} AND r.owner = ${each}`;
  if (!isById(keys) || names.length === 0 || names.length > MOST_MERGED) {
    const all = isOwned(`ANY (${values.add(names, 'text[]')})`);
    return () => ({ from: 'records r', where: all, orderBy: orderBy(keys), test: 'rest' });
  }
  return (at) => {
    const bound = idBound('r.id', at, parts);
    const branches = names.map(
      (name) => `SELECT r.id AS record_id FROM records r WHERE ${isOwned(values.add(name, 'text'))}${bound}`,
    );
    return { ...joined(merged(branches, keys), 'true', orderBy(keys)), test: 'rest' };
  };
}

/** Whether the order is that of the ids. */
export const isById = ([first, ...others]: readonly SortKey[]): boolean =>
  first?.type === 'uuid' && others.length === 0;

/** A bound for a search in the order of ids. */
function idBound(id: string, at: readonly SortValue[] | undefined, { keys, values }: SourceParts): string {
  const after = isById(keys) ? at?.[0] : undefined;
  if (after === undefined || after === null) return '';
  return ` AND ${id} ${keys[0]?.descending === true ? '<' : '>'} ${values.add(after, 'uuid')}`;
}

/** Ids in the order of the search, where that is theirs: then no more records are read than a page needs. */
const lazily = (ids: string, keys: readonly SortKey[]): string => `(${ids}${idOrder(keys)} OFFSET 0) AS k`;

/** The same of several. Each has its own order, so that PostgreSQL merges them instead of sorting all. */
function merged(branches: readonly string[], keys: readonly SortKey[]): string {
  const [first = '', ...others] = branches;
  if (others.length === 0) return lazily(first, keys);
  return lazily(branches.map((branch) => `(${branch}${idOrder(keys)} OFFSET 0)`).join(' UNION ALL '), keys);
}

function idOrder(keys: readonly SortKey[]): string {
  return isById(keys) ? ` ORDER BY record_id${keys[0]?.descending === true ? ' DESC' : ''}` : '';
}

/**
 * Active records in the order of the index of the first key: values first, then those without one.
 * @param span that of a condition on the field which all records of the search meet
 */
export function orderStages(
  index: UsedIndex,
  span: KeySpan | undefined,
  parts: SourceParts,
): readonly Stage[] {
  const values = span?.ranges.filter((range) => !isNoValue(range)).join(' OR ');
  const known = values === '' ? [] : [orderStage(values, index, parts)];
  if (parts.keys[0]?.isNullable !== true) return known;
  const none = span?.ranges.filter(isNoValue) ?? [NO_KEY, UNKNOWN_KEY];
  // Behind the first key, which all of these have, their order is that of the others.
  const last = spanStage(none, index, { ...parts, keys: parts.keys.slice(1) });
  return none.length === 0 ? known : [...known, (at) => last(at?.slice(1))];
}

/** @param range undefined for all */
function orderStage(range: string | undefined, index: UsedIndex, parts: SourceParts): Stage {
  const { keys, values } = parts;
  const [first, ...others] = keys;
  const descending = first?.descending === true;
  const order = others.length === 1 && !descending ? 'k.record_id' : orderBy(others);
  const within = range === undefined ? [] : [`(${range})`];
  return (at) => {
    const bound = at === undefined ? [] : [boundOf(at, index, { keys, values })];
    // Of two bounds at which to begin, PostgreSQL may take the lower one.
    const known = at === undefined || descending ? [KNOWN_KEY] : [];
    const all = [...known, ...bound, ...within].join(' AND ');
    const from = `(${keysIn(all, index.id)}) AS k`;
    return joined(from, isPresent(index.field), `k.key${descending ? ' DESC' : ''}, ${order}`);
  };
}

/** A bound for the keys behind a place. It may let pass some before it. */
function boundOf(
  [value = null, id = null]: readonly SortValue[],
  { field: { index = 'text' } }: UsedIndex,
  { keys: [first, ...others], values }: Pick<SourceParts, 'keys' | 'values'>,
): string {
  const key =
    index === 'changed'
      ? `record_index_key('changed', NULL, ${values.add(value, 'timestamptz')})`
      : keyOf(value ?? '', index, values);
  if (first?.descending === true) return `k.key <= ${key}`;
  return others[0] === BY_ID
    ? `(k.key, k.record_id) > (${key}, ${values.add(id, 'uuid')})`
    : `k.key >= ${key}`;
}

function joined(keys: string, where: string, order: string): Source {
  return {
    from: `${keys} JOIN records r ON ${RECORDS} AND r.id = k.record_id`,
    where: `r.archived_at IS NULL AND ${where}`,
    orderBy: order,
    test: 'holds',
  };
}

/**
 * Whether a key is that of the record, and not of an earlier value. PostgreSQL expects few rows of an
 * equality, and would read all records to find them.
 */
const isPresent = ({ index = 'text', key }: SearchedField): string =>
  `CASE WHEN k.key = record_index_key('${index}', r.fields ->> ${key}, r.updated_at) THEN true ELSE false END`;

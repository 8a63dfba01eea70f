import type { FieldHandle } from '../../engine/index.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../../fields/index.js';
import type { IndexKind } from '../indexes/record-index.entity.js';
import { keyColumn, type KeyColumn } from '../record-key.js';
import type { SqlValues } from './sql-values.js';

/**
 * How PostgreSQL compares the values of a field: as texts, numbers or instants, by a column of instants, or
 * not at all.
 */
export type Comparison = 'text' | 'number' | 'instant' | 'column' | 'none';

/** A column that repeats a field and has an index. */
export type IndexedColumn = KeyColumn | 'owner';

/** A field as a search sees it. */
export interface SearchedField {
  readonly name: string;
  readonly handle: FieldHandle;
  readonly comparison: Comparison;
  /** The value as SQL: a text, null for an empty field; an instant with the comparison `column`. */
  readonly value: string;
  readonly column: IndexedColumn | undefined;
  /** The kind of the index that the account may have of it. */
  readonly index: IndexKind | undefined;
  /** The name as SQL. */
  readonly key: string;
}

/** Columns of instants that triggers know as fields. */
const COLUMNS: ReadonlyMap<string, string> = new Map([
  ['create_date', 'r.created_at'],
  ['last_modified_date', 'r.updated_at'],
]);

/** The types whose comparison PostgreSQL knows, but for those that are compared as text. */
const TYPED: ReadonlyMap<string, Comparison> = new Map([
  ['number', 'number'],
  ['datetime', 'instant'],
]);

/** What the fields of an object type are read from. */
export interface FieldSource {
  readonly objectType: ObjectType;
  /** Whether a type has a comparison of its own (`FieldType.comparisonKey`). */
  readonly hasOwnComparison: (type: string) => boolean;
  /** SQL for the e-mails of users by stored name, a jsonb or null (ADR 24). */
  readonly renamed: string;
  readonly values: SqlValues;
}

/** Returns a field for the statements of a search on a table of records `r`. */
export function searchedField(
  name: string,
  handle: FieldHandle,
  { objectType, hasOwnComparison, renamed, values }: FieldSource,
): SearchedField {
  const { type, standard } = handle.definition;
  const column = COLUMNS.get(name);
  const key = values.add(name, 'text');
  if (column !== undefined) {
    const index = name === 'last_modified_date' ? 'changed' : undefined;
    return { name, handle, comparison: 'column', value: column, column: undefined, index, key };
  }
  const stored = `NULLIF(r.fields ->> ${key}, '')`;
  const value = type === 'user' ? `COALESCE(${renamed} ->> ${stored}, ${stored})` : stored;
  const comparison = TYPED.get(type) ?? (hasOwnComparison(type) ? 'none' : 'text');
  const index = handle.definition.indexed === true ? indexKind(comparison) : undefined;
  const own = standard ? indexedColumn(objectType, name) : undefined;
  return { name, handle, comparison, value, column: own, index, key };
}

function indexKind(comparison: Comparison): IndexKind | undefined {
  return comparison === 'text' || comparison === 'number' || comparison === 'instant'
    ? comparison
    : undefined;
}

function indexedColumn(objectType: ObjectType, name: string): IndexedColumn | undefined {
  const { ownerField, uniqueKeys } = OBJECT_TYPE_RULES[objectType];
  if (name === ownerField) return 'owner';
  return uniqueKeys.includes(name) ? keyColumn(name) : undefined;
}

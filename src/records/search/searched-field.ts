import type { Directory } from '../../directory/index.js';
import {
  parseTrigger,
  type FieldHandle,
  type FieldLookup,
  type KnownConditions,
  type PlacedValue,
  type TriggerResult,
} from '../../engine/index.js';
import { OBJECT_TYPE_RULES, type FieldTypeRegistry, type ObjectType } from '../../fields/index.js';
import { UPDATED_AT, type IndexKind } from '../indexes/record-indexes.repository.js';
import { keyColumn, type KeyColumn } from '../record-key.js';
import { CHANGED_AT } from '../records.sql.js';
import type { SqlValues } from './sql-values.js';

/** The names that answers and properties have for fields of searches. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['created_at', 'create_date'],
  ['record_id', 'id'],
]);

/** Returns the name of the field that a filter or a sort means. */
export const fieldNamed = (name: string): string => ALIASES.get(name) ?? name;

/** Validates a filter: a trigger in which `create_date` may have the name that it has in answers. */
export function parseFilter(
  place: PlacedValue,
  objectType: ObjectType,
  { fields, operators }: KnownConditions,
): TriggerResult {
  const lookup: FieldLookup = (type, name) => fields(type, fieldNamed(name));
  const parsed = parseTrigger(place, objectType, { fields: lookup, operators });
  if (!parsed.ok) return parsed;
  const groups = parsed.trigger.groups.map(({ conditions }) => ({
    conditions: conditions.map((condition) => ({ ...condition, field: fieldNamed(condition.field) })),
  }));
  return { ok: true, trigger: { groups } };
}

/** How values are compared: `date` is a column of instants, `none` a comparison that SQL does not know. */
export type Comparison = 'text' | 'number' | 'instant' | 'date' | 'user' | 'none';

/** A field as a search sees it. */
export interface SearchedField {
  readonly name: string;
  readonly handle: FieldHandle;
  readonly comparison: Comparison;
  /** The value as SQL: a text, null for an empty field; an instant with the comparison `date`. */
  readonly value: string;
  /** As it is stored: users have stored names (ADR 24). */
  readonly stored: string;
  /** A column that has the value too, and an index. */
  readonly column: KeyColumn | 'owner' | 'id' | undefined;
  /** The kind of the index that the account may have of it. */
  readonly index: IndexKind | undefined;
}

/** Returns the field of which the index of a field is: active records have one last change. */
export const indexedAs = ({ name, index }: SearchedField): string =>
  index === 'changed' ? UPDATED_AT : name;

/** Columns that searches know as fields, beside those that triggers know: the type and the value. */
const COLUMNS: ReadonlyMap<string, { readonly type: string; readonly value: string }> = new Map([
  ['id', { type: 'string', value: 'r.id::text' }],
  ['archived', { type: 'bool', value: '(r.archived_at IS NOT NULL)::text' }],
  ['archived_by', { type: 'string', value: 'r.archived_by' }],
  [UPDATED_AT, { type: 'datetime', value: CHANGED_AT }],
]);

/** Columns of instants that triggers know as fields. */
const DATES: ReadonlyMap<string, string> = new Map([
  ['create_date', 'r.created_at'],
  ['last_modified_date', 'r.updated_at'],
  [UPDATED_AT, CHANGED_AT],
]);

const TYPED: ReadonlyMap<string, Comparison & IndexKind> = new Map([
  ['number', 'number'],
  ['datetime', 'instant'],
]);

/** Returns a lookup that finds `id`, `archived`, `archived_by` and `updated_at` too. */
export function searchLookup(fields: FieldLookup, types: FieldTypeRegistry): FieldLookup {
  return (objectType, name) => {
    const type = types.get(COLUMNS.get(name)?.type ?? '');
    if (type === undefined) return fields(objectType, name);
    const definition = { objectType, internalName: name, label: name, type: type.id, options: [] };
    const environment = { findUser: () => undefined };
    return {
      definition: { ...definition, standard: true },
      parse: (value) => type.parse(value, { ...definition, standard: true }, environment),
      comparisonKey: () => undefined,
    };
  };
}

/** How the type of a field compares values. @param types has those of extensions too */
export function comparisonOf(
  { definition: { internalName, type } }: FieldHandle,
  types: FieldTypeRegistry,
): Comparison {
  if (DATES.has(internalName)) return 'date';
  if (type === 'user') return 'user';
  return TYPED.get(type) ?? (types.get(type)?.comparisonKey === undefined ? 'text' : 'none');
}

/** What the statements of a search read fields with. */
export interface FieldSource {
  readonly objectType: ObjectType;
  readonly types: FieldTypeRegistry;
  readonly directory: Directory;
  readonly values: SqlValues;
}

/** Returns a field for the statements of a search on a table of records `r`. */
export function searchedField(
  name: string,
  handle: FieldHandle,
  { objectType, types, directory: { names }, values }: FieldSource,
): SearchedField {
  const comparison = comparisonOf(handle, types);
  const { standard, indexed } = handle.definition;
  const given = DATES.get(name) ?? COLUMNS.get(name)?.value;
  const stored = given ?? `NULLIF(r.fields ->> ${values.add(name, 'text')}, '')`;
  const isRenamed = comparison === 'user' && !names.isEmpty;
  const emails = isRenamed ? values.add(JSON.stringify(Object.fromEntries(names.renamed)), 'jsonb') : '';
  return {
    name,
    handle,
    comparison,
    value: isRenamed ? `COALESCE(${emails} ->> ${stored}, ${stored})` : stored,
    stored,
    column: standard ? columnOf(objectType, name) : undefined,
    index: DATES.has(name) ? dateIndex(name) : indexed === true ? indexKind(comparison) : undefined,
  };
}

/** Of the creation, the ids have the order. */
const dateIndex = (name: string): IndexKind | undefined => (name === 'create_date' ? undefined : 'changed');

function indexKind(comparison: Comparison): IndexKind | undefined {
  if (comparison === 'number' || comparison === 'instant') return comparison;
  return comparison === 'text' || comparison === 'user' ? 'text' : undefined;
}

function columnOf(objectType: ObjectType, name: string): SearchedField['column'] {
  const { ownerField, uniqueKeys } = OBJECT_TYPE_RULES[objectType];
  if (name === 'id') return name;
  if (name === ownerField) return 'owner';
  return uniqueKeys.includes(name) ? keyColumn(name) : undefined;
}

import { newId } from '../../database/index.js';
import {
  customNameProblem,
  OBJECT_TYPE_RULES,
  OBJECT_TYPES,
  type FieldDefinition,
  type FieldDto,
  type FieldOption,
  type FieldTypeRegistry,
  type StoredField,
} from '../../fields/index.js';
import { nameKey } from '../../text/canonical-text.js';
import type { Fail } from '../change/configuration-change.js';
import { fieldKey } from '../change/configuration-uses.js';

/** The types with a comparison of their own that the database knows too. */
const ORDERED = ['number', 'datetime'];

/** Why an enumeration without options is refused. */
export const NEEDS_OPTIONS = 'an enumeration needs at least one option';

/** What a new field is checked against. */
interface NewFieldChecks {
  readonly types: FieldTypeRegistry;
  /** The other fields of the type, archived ones included. */
  readonly siblings: readonly FieldDefinition[];
  readonly fail: Fail;
}

/** Returns a new custom field; undefined where it is refused. */
export function newField(dto: FieldDto, { types, siblings, fail }: NewFieldChecks): StoredField | undefined {
  const { object_type: objectType, internal_name: internalName, type = '', label = internalName } = dto;
  const { long = false, indexed = false, target_object_type: target } = dto;
  const isKnown = types.get(type) !== undefined;
  if (!isKnown) fail('type', `type must be one of ${types.ids().join(', ')}`);
  const problem = customNameProblem({ internalName, type }, siblings);
  if (problem !== undefined) fail('internal_name', problem);
  if (!isKnown || problem !== undefined) return undefined;
  const options = wantedOptions([], dto, { mode: 'merge', fail });
  if (type === 'enumeration' && options?.length === 0) fail('options', NEEDS_OPTIONS);
  if (type !== 'enumeration' && dto.options !== undefined) fail('options', `a ${type} field has no options`);
  refuseLong(dto, { type, standard: false }, fail);
  if ((target !== undefined) !== (type === 'reference')) {
    fail(
      'target_object_type',
      type === 'reference'
        ? `target_object_type is required: a reference names records of one of ${OBJECT_TYPES.join(', ')}`
        : `only a field of type reference names records, this one is of type ${type}`,
    );
    return undefined;
  }
  const field = { id: newId(), objectType, internalName, label, type, standard: false, long, indexed };
  refuseIndexed(field, { types, fail });
  return options === undefined ? undefined : { ...field, options, target: target ?? null };
}

/** Refuses `long` for a field that cannot be long. @returns whether it has refused */
export function refuseLong(
  { long }: Pick<FieldDto, 'long'>,
  { type, standard }: Pick<FieldDefinition, 'type' | 'standard'>,
  fail: Fail,
): boolean {
  if (long === undefined || (type === 'string' && !standard)) return false;
  const is = standard ? 'standard' : `of type ${type}`;
  fail('long', `only a custom field of type string can be long, this one is ${is}`);
  return true;
}

/** Refuses an index that a field cannot have, or has anyway. @returns whether it has refused */
export function refuseIndexed(
  { objectType, internalName, type, standard, long, indexed }: Omit<FieldDefinition, 'options' | 'label'>,
  { types, fail }: { readonly types: FieldTypeRegistry; readonly fail: Fail },
): boolean {
  if (indexed !== true) return false;
  const { ownerField, uniqueKeys } = OBJECT_TYPE_RULES[objectType];
  const refuse = (problem: string): true => {
    fail('indexed', problem);
    return true;
  };
  if (standard && [ownerField, ...uniqueKeys].includes(internalName)) {
    return refuse('a unique key and the owner have an index anyway');
  }
  if (long === true) return refuse('a long field has no index');
  const isCompared = ORDERED.includes(type) || types.get(type)?.comparisonKey === undefined;
  return isCompared ? false : refuse(`a field of type ${type} has no index`);
}

/**
 * What the options of a file or a body are. `merge`: new options are added at the end, others get their
 * label, and none is removed. `replace`: they are the whole list.
 */
export type OptionsMode = 'merge' | 'replace';

/**
 * Returns the options that a field gets.
 * @param present the stored ones, whose spelling of the internal name stays
 * @returns undefined where they are refused
 */
export function wantedOptions(
  present: readonly FieldOption[],
  { options }: Pick<FieldDto, 'options'>,
  { mode, fail }: { readonly mode: OptionsMode; readonly fail: Fail },
): FieldOption[] | undefined {
  if (options === undefined) return [...present];
  const known = new Map(present.map((option) => [nameKey(option.internalName), option]));
  const named = new Map<string, FieldOption>();
  for (const { internal_name, label } of options) {
    const key = nameKey(internal_name);
    if (named.has(key)) {
      fail('options', `the option ${internal_name} is named twice`);
      return undefined;
    }
    const before = known.get(key);
    const internalName = before?.internalName ?? internal_name;
    named.set(key, { internalName, label: label ?? before?.label ?? internalName });
  }
  return [...(mode === 'merge' ? new Map([...known, ...named]) : named).values()];
}

/** Returns the internal names of the options that `wanted` leaves out. */
export function removedOptions(present: readonly FieldOption[], wanted: readonly FieldOption[]): string[] {
  const kept = new Set(wanted.map(({ internalName }) => internalName));
  return present.map(({ internalName }) => internalName).filter((name) => !kept.has(name));
}

/** The most fields of an object type that have an index: each is one more row to write with a record. */
const MOST_INDEXED = 20;

/** A field as it is stored; no `archivedAt` for a new one. */
type Indexable = Omit<StoredField, 'label'> & { readonly archivedAt?: Date | null };

/** A field as it becomes. */
export interface KeptField<Row extends Indexable> {
  readonly field: Row;
  readonly fail: Fail;
}

/**
 * Refuses the last of the indexes that are added where a type has more than it may.
 * @param stored all fields of the account before the change
 */
export function refuseTooManyIndexed(
  stored: readonly Indexable[],
  kept: readonly KeptField<Indexable>[],
): void {
  const isIndexed = ({ indexed = false, archivedAt = null }: Indexable): boolean =>
    indexed && archivedAt === null;
  const before = new Set(stored.filter(isIndexed).map(({ id }) => id));
  const after = new Map([...stored, ...kept.map(({ field }) => field)].map((field) => [field.id, field]));
  for (const type of OBJECT_TYPES) {
    const isOfType = (field: Indexable): boolean => isIndexed(field) && field.objectType === type;
    const added = kept.filter(({ field }) => isOfType(field) && !before.has(field.id));
    const room = MOST_INDEXED - ([...after.values()].filter(isOfType).length - added.length);
    for (const { field, fail } of added.slice(Math.max(0, room))) {
      const most = `at most ${MOST_INDEXED} fields of ${type} can`;
      fail('indexed', `${fieldKey(field)} cannot have an index: ${most}`);
    }
  }
}

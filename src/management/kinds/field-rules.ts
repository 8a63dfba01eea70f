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

/** What a field is checked against. */
interface FieldChecks {
  readonly types: FieldTypeRegistry;
  readonly fail: Fail;
}

/**
 * Returns a new custom field without options, as it is before its body says what it may have; undefined where
 * it is refused.
 * @param siblings the other fields of the type, archived ones included
 */
export function newField(
  { object_type: objectType, internal_name: internalName, type = '', target_object_type: target }: FieldDto,
  siblings: readonly FieldDefinition[],
  { types, id, fail }: FieldChecks & Pick<StoredField, 'id'>,
): StoredField | undefined {
  const isKnown = types.get(type) !== undefined;
  if (!isKnown) fail('type', `type must be one of ${types.ids().join(', ')}`);
  const problem = customNameProblem({ internalName, type }, siblings);
  if (problem !== undefined) fail('internal_name', problem);
  if ((target !== undefined) !== (type === 'reference') && isKnown) {
    const why =
      type === 'reference'
        ? `target_object_type is required: a reference names records of one of ${OBJECT_TYPES.join(', ')}`
        : `only a field of type reference names records, this one is of type ${type}`;
    fail('target_object_type', why);
  }
  if (!isKnown || problem !== undefined) return undefined;
  const none = { standard: false, long: false, indexed: false, options: [] };
  return {
    ...none,
    id,
    objectType,
    internalName,
    label: internalName,
    type,
    target: target ?? null,
  };
}

/** Returns a stored field; undefined where a body names another type or another type of records. */
export function sameField<Field extends StoredField>(
  dto: FieldDto,
  field: Field,
  fail: Fail,
): Field | undefined {
  const { type, target = null } = field;
  if (dto.type !== undefined && dto.type !== type) {
    return fail('type', `the type of ${fieldKey(field)} is ${type} and cannot change`) as undefined;
  }
  if (dto.target_object_type === undefined || dto.target_object_type === target) return field;
  const names = `${fieldKey(field)} names ${target ?? 'no records'}`;
  return fail('target_object_type', `${names}, which cannot change`) as undefined;
}

/**
 * Returns a field as a body wants it, which is reported where it cannot be so.
 * @param field as it is stored, or a new one
 * @param checks `replaces`: see `wantedOptions`
 */
export function wantedField<Field extends StoredField>(
  dto: FieldDto,
  field: Field,
  { types, fail, replaces }: FieldChecks & { readonly replaces: boolean },
): Field {
  const { type, standard } = field;
  if (type !== 'enumeration' && dto.options !== undefined) fail('options', `a ${type} field has no options`);
  if (dto.long !== undefined && (type !== 'string' || standard)) {
    const is = standard ? 'standard' : `of type ${type}`;
    fail('long', `only a custom field of type string can be long, this one is ${is}`);
  }
  const { label = field.label, long = field.long ?? false, indexed = field.indexed ?? false } = dto;
  const options = wantedOptions(field.options, dto, { replaces, fail }) ?? field.options;
  const wanted = Object.assign({}, field, { label, options, long, indexed });
  const problem = indexed ? indexProblem(wanted, types) : undefined;
  if (problem !== undefined) fail('indexed', problem);
  return wanted;
}

/** Says why a field cannot have an index, or has one anyway. */
function indexProblem(
  { objectType, internalName, type, standard, long }: StoredField,
  types: FieldTypeRegistry,
): string | undefined {
  const { ownerField, uniqueKeys } = OBJECT_TYPE_RULES[objectType];
  if (standard && [ownerField, ...uniqueKeys].includes(internalName)) {
    return 'a unique key and the owner have an index anyway';
  }
  if (long === true) return 'a long field has no index';
  const isCompared = ORDERED.includes(type) || types.get(type)?.comparisonKey === undefined;
  return isCompared ? undefined : `a field of type ${type} has no index`;
}

/**
 * Returns the options that a field gets. Those of a request that changes it replace what there is; of others
 * new ones are added at the end, and none is removed.
 * @param present the stored ones, whose spelling of the internal name stays
 * @returns undefined where they are refused
 */
export function wantedOptions(
  present: readonly FieldOption[],
  { options }: Pick<FieldDto, 'options'>,
  { replaces, fail }: { readonly replaces: boolean; readonly fail: Fail },
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
  return [...(replaces ? named : new Map([...known, ...named])).values()];
}

/** The most fields of an object type that have an index: each is one more row to write with a record. */
const MOST_INDEXED = 20;

/** A field as it becomes. */
export interface KeptField<Field = StoredField> {
  readonly field: Field;
  readonly fail: Fail;
}

/**
 * Refuses the last of the indexes that are added where a type has more than it may.
 * @param before the active fields of the account before the change
 * @param after those after it
 */
export function refuseTooManyIndexed(
  before: readonly StoredField[],
  after: readonly StoredField[],
  kept: readonly KeptField[],
): void {
  const had = new Set(before.flatMap(({ id, indexed }) => (indexed === true ? [id] : [])));
  for (const type of OBJECT_TYPES) {
    const isOfType = ({ objectType, indexed }: StoredField): boolean =>
      indexed === true && objectType === type;
    const added = kept.filter(({ field }) => isOfType(field) && !had.has(field.id));
    const room = MOST_INDEXED - (after.filter(isOfType).length - added.length);
    for (const { field, fail } of added.slice(Math.max(0, room))) {
      fail(
        'indexed',
        `${fieldKey(field)} cannot have an index: at most ${MOST_INDEXED} fields of ${type} can`,
      );
    }
  }
}

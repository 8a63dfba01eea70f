import {
  customNameProblem,
  OBJECT_TYPE_RULES,
  OBJECT_TYPES,
  type FieldDto,
  type FieldOption,
  type FieldTypeRegistry,
  type StoredField,
} from '../../fields/index.js';
import { nameKey } from '../../text/canonical-text.js';
import type { Fail } from '../change/configuration-change.js';
import { fieldKey } from '../change/configuration-uses.js';
import type { Wanted } from '../managed/kind-declaration.js';

/** The types with a comparison of their own that the database knows too. */
const ORDERED = ['number', 'datetime'];

/** What a field is checked against. */
interface FieldChecks {
  readonly types: FieldTypeRegistry;
  /** The other fields of the type, archived ones included. */
  readonly siblings: readonly StoredField[];
}

/**
 * Returns a field as a body wants it, and reports what cannot be so.
 * @returns undefined for another field than the present one, and for one that cannot be made
 */
export function wantedField(
  { dto, present, id, fail, replaces }: Wanted<StoredField, FieldDto>,
  checks: FieldChecks,
): StoredField | undefined {
  const isRight = present === undefined ? isPossible(dto, checks, fail) : isSame(dto, present, fail);
  if (!isRight) return undefined;
  const before = present ?? newField(dto, id);
  const { type, standard } = before;
  if (type !== 'enumeration' && dto.options !== undefined) fail('options', `a ${type} field has no options`);
  if (dto.long !== undefined && (type !== 'string' || standard)) {
    const is = standard ? 'standard' : `of type ${type}`;
    fail('long', `only a custom field of type string can be long, this one is ${is}`);
  }
  const { label = before.label, long = before.long ?? false, indexed = before.indexed ?? false } = dto;
  const options = wantedOptions(before.options, dto, { replaces, fail }) ?? before.options;
  const wanted = { ...before, label, options, long, indexed };
  const problem = indexed ? indexProblem(wanted, checks.types) : undefined;
  if (problem !== undefined) fail('indexed', problem);
  return wanted;
}

/** Returns a custom field as it is before its body says what it may have. */
function newField(
  { object_type, internal_name, type = '', target_object_type }: FieldDto,
  id: string,
): StoredField {
  const none = { standard: false, long: false, indexed: false, options: [] };
  const named = { objectType: object_type, internalName: internal_name, label: internal_name };
  return { ...none, ...named, id, type, target: target_object_type ?? null };
}

function isPossible(
  { internal_name: internalName, type = '', target_object_type: target }: FieldDto,
  { types, siblings }: FieldChecks,
  fail: Fail,
): boolean {
  const isKnown = types.get(type) !== undefined;
  if (!isKnown) fail('type', `type must be one of ${types.ids().join(', ')}`);
  const problem = customNameProblem({ internalName, type }, siblings);
  if (problem !== undefined) fail('internal_name', problem);
  const isReference = type === 'reference';
  if ((target !== undefined) !== isReference && isKnown) {
    const why = isReference
      ? `target_object_type is required: a reference names records of one of ${OBJECT_TYPES.join(', ')}`
      : `only a field of type reference names records, this one is of type ${type}`;
    fail('target_object_type', why);
  }
  return isKnown && problem === undefined;
}

/** Whether a body names no other type, and no other type of records, than a field has. */
function isSame({ type, target_object_type: target }: FieldDto, field: StoredField, fail: Fail): boolean {
  const key = fieldKey(field);
  if (type !== undefined && type !== field.type) {
    fail('type', `the type of ${key} is ${field.type} and cannot change`);
    return false;
  }
  if (target === undefined || target === field.target) return true;
  fail('target_object_type', `${key} names ${field.target ?? 'no records'}, which cannot change`);
  return false;
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

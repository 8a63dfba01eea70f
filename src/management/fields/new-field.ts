import { newId } from '../../database/index.js';
import {
  customNameProblem,
  OBJECT_TYPE_RULES,
  OBJECT_TYPES,
  type FieldDefinition,
  type FieldDto,
  type FieldTypeRegistry,
  type StoredField,
} from '../../fields/index.js';
import type { Refuse } from '../change/configuration-change.js';
import { wantedOptions } from './field-options.js';

/** The types with a comparison of their own that the database knows too. */
const ORDERED = ['number', 'datetime'];

/** What a new field is checked against. */
interface NewFieldChecks {
  readonly types: FieldTypeRegistry;
  /** The other fields of the type, archived ones included. */
  readonly siblings: readonly FieldDefinition[];
  readonly refuse: Refuse;
}

/** Returns a new custom field; undefined where it is refused. */
export function newField(
  dto: FieldDto,
  { types, siblings, refuse }: NewFieldChecks,
): StoredField | undefined {
  const { object_type: objectType, internal_name: internalName, type = '', label = internalName } = dto;
  const isKnown = types.get(type) !== undefined;
  if (!isKnown) refuse('type', `type must be one of ${types.ids().join(', ')}`);
  const problem = customNameProblem({ internalName, type }, siblings);
  if (problem !== undefined) {
    refuse('internal_name', problem);
    return undefined;
  }
  if (!isKnown) return undefined;
  const options = wantedOptions([], dto, { mode: 'merge', refuse });
  if (type === 'enumeration' && options?.length === 0)
    refuse('options', 'an enumeration needs at least one option');
  if (type !== 'enumeration' && dto.options !== undefined)
    refuse('options', `a ${type} field has no options`);
  refuseLong(dto, { type, standard: false }, refuse);
  if (refuseTarget(dto, type, refuse)) return undefined;
  const { long = false, indexed = false, target_object_type: target } = dto;
  const field = { id: newId(), objectType, internalName, label, type, standard: false, long, indexed };
  refuseIndexed(field, { types, refuse });
  return options === undefined ? undefined : { ...field, options, target: target ?? null };
}

/** Refuses a reference without a target, and a target of another field. @returns whether it has refused */
function refuseTarget({ target_object_type: target }: FieldDto, type: string, refuse: Refuse): boolean {
  if ((target !== undefined) === (type === 'reference')) return false;
  refuse(
    'target_object_type',
    type === 'reference'
      ? `target_object_type is required: a reference names records of one of ${OBJECT_TYPES.join(', ')}`
      : `only a field of type reference names records, this one is of type ${type}`,
  );
  return true;
}

/** Refuses `long` for a field that cannot be long. @returns whether it has refused */
export function refuseLong(
  { long }: Pick<FieldDto, 'long'>,
  { type, standard }: Pick<FieldDefinition, 'type' | 'standard'>,
  refuse: Refuse,
): boolean {
  if (long === undefined || (type === 'string' && !standard)) return false;
  refuse(
    'long',
    `only a custom field of type string can be long, this one is ${standard ? 'standard' : `of type ${type}`}`,
  );
  return true;
}

/** Refuses an index that a field cannot have, or has anyway. @returns whether it has refused */
export function refuseIndexed(
  { objectType, internalName, type, standard, long, indexed }: Omit<FieldDefinition, 'options' | 'label'>,
  { types, refuse }: { readonly types: FieldTypeRegistry; readonly refuse: Refuse },
): boolean {
  const { ownerField, uniqueKeys } = OBJECT_TYPE_RULES[objectType];
  const hasIndex = standard && [ownerField, ...uniqueKeys].includes(internalName);
  const isCompared = ORDERED.includes(type) || types.get(type)?.comparisonKey === undefined;
  const problem = hasIndex
    ? 'a unique key and the owner have an index anyway'
    : long === true
      ? 'a long field has no index'
      : isCompared
        ? undefined
        : `a field of type ${type} has no index`;
  if (indexed !== true || problem === undefined) return false;
  refuse('indexed', problem);
  return true;
}

import { Injectable } from '@nestjs/common';
import { newId } from '../../../database/index.js';
import {
  customNameProblem,
  FieldsRepository,
  FieldTypeRegistry,
  type FieldDefinition,
  type FieldDto,
  type FieldOption,
  type StoredField,
} from '../../../fields/index.js';
import type { ConfigurationChange, Refuse } from '../../change/configuration-change.js';
import type { ChangedObject } from '../../change/planned-change.js';
import { fieldForm } from '../../forms/field-form.js';
import type { AccountDto } from '../account.dto.js';
import type { ApplySection } from './apply-section.js';

/**
 * Applies `fields`: adds custom fields, and changes the options, the label and `long` of fields that exist.
 * Removes nothing. Texts that a field holds stay when it is no longer long.
 */
@Injectable()
export class FieldsSection implements ApplySection {
  constructor(
    private readonly fields: FieldsRepository,
    private readonly types: FieldTypeRegistry,
  ) {}

  async apply(change: ConfigurationChange, { fields: dtos = [] }: AccountDto): Promise<void> {
    const known = await this.fields.list(change.tx, change.account);
    const created: (StoredField & { position: number })[] = [];
    for (const [index, dto] of dtos.entries()) {
      const refuse = change.refusing(`fields[${index}]`);
      const siblings = known.filter(({ objectType }) => objectType === dto.object_type);
      const present = siblings.find(({ internalName }) => internalName === dto.internal_name);
      if (present === undefined) {
        const field = this.newField(dto, siblings, refuse);
        if (field === undefined) continue;
        created.push({ ...field, position: siblings.length });
        known.push(field);
        change.note(objectOf(field), { before: null, after: fieldForm(field) });
      } else await this.change(change, present, { dto, refuse });
    }
    await this.fields.insert(change.tx, change.account, created);
  }

  private newField(
    dto: FieldDto,
    siblings: readonly FieldDefinition[],
    refuse: Refuse,
  ): StoredField | undefined {
    const { object_type: objectType, internal_name: internalName, type, label = internalName } = dto;
    if (type === undefined || this.types.get(type) === undefined) {
      refuse('type', `type must be one of ${this.types.ids().join(', ')}`);
      return undefined;
    }
    const problem = customNameProblem({ internalName, type }, siblings);
    if (problem !== undefined) {
      refuse('internal_name', problem);
      return undefined;
    }
    const options = mergeOptions([], dto, refuse);
    if (type === 'enumeration' && options?.length === 0)
      refuse('options', 'an enumeration needs at least one option');
    if (type !== 'enumeration' && dto.options !== undefined)
      refuse('options', `a ${type} field has no options`);
    refuseLong(dto, { type, standard: false }, refuse);
    const { long = false } = dto;
    return options === undefined
      ? undefined
      : { id: newId(), objectType, internalName, label, type, options, standard: false, long };
  }

  private async change(
    change: ConfigurationChange,
    present: StoredField,
    { dto, refuse }: { readonly dto: FieldDto; readonly refuse: Refuse },
  ): Promise<void> {
    if (dto.type !== undefined && dto.type !== present.type) {
      refuse('type', `the type of ${shown(dto)} is ${present.type} and cannot change`);
      return;
    }
    if (present.type !== 'enumeration' && dto.options !== undefined) {
      refuse('options', `a ${present.type} field has no options`);
      return;
    }
    const options = mergeOptions(present.options, dto, refuse);
    if (refuseLong(dto, present, refuse) || options === undefined) return;
    const { long = false } = present;
    const wanted = { label: dto.label ?? present.label, options, long: dto.long ?? long };
    const field = { ...present, ...wanted };
    if (!change.note(objectOf(field), { before: fieldForm(present), after: fieldForm(field) })) return;
    await this.fields.update(change.tx, change.account, field);
  }
}

/** Refuses `long` for a field that cannot be long. @returns whether it has refused */
function refuseLong(
  { long }: FieldDto,
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

function objectOf({ id, objectType, internalName }: StoredField): ChangedObject {
  return { kind: 'field', id, name: `${objectType}.${internalName}` };
}

function shown({ object_type, internal_name }: FieldDto): string {
  return `${object_type}.${internal_name}`;
}

/**
 * Returns the present options with those of the file. New options are added at the end, others get the file's
 * label.
 */
function mergeOptions(
  present: readonly FieldOption[],
  { options = [] }: FieldDto,
  refuse: Refuse,
): FieldOption[] | undefined {
  const merged = new Map(present.map((option) => [option.internalName.toLowerCase(), option]));
  const named = new Set<string>();
  for (const { internal_name, label } of options) {
    const key = internal_name.toLowerCase();
    if (named.has(key)) {
      refuse('options', `the option ${internal_name} is named twice`);
      return undefined;
    }
    named.add(key);
    const before = merged.get(key);
    const internalName = before?.internalName ?? internal_name;
    merged.set(key, { internalName, label: label ?? before?.label ?? internalName });
  }
  return [...merged.values()];
}

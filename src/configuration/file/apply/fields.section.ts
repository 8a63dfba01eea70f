import { Injectable } from '@nestjs/common';
import {
  customNameProblem,
  FieldsRepository,
  FieldTypeRegistry,
  type FieldDefinition,
  type FieldDto,
  type FieldOption,
} from '../../../fields/index.js';
import type { AccountDto } from '../account.dto.js';
import { differingKeys, type ApplyRun } from './apply-run.js';
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

  async apply(run: ApplyRun, { fields: dtos = [] }: AccountDto): Promise<void> {
    const known = await this.fields.list(run.tx, run.account);
    const created: (FieldDefinition & { position: number })[] = [];
    for (const [index, dto] of dtos.entries()) {
      const refuse = (key: string, message: string): void => run.refuse(`fields[${index}].${key}`, message);
      const siblings = known.filter(({ objectType }) => objectType === dto.object_type);
      const present = siblings.find(({ internalName }) => internalName === dto.internal_name);
      if (present === undefined) {
        const field = this.newField(dto, siblings, refuse);
        if (field === undefined) continue;
        created.push({ ...field, position: siblings.length });
        known.push(field);
        run.created('field', shown(dto));
      } else await this.change(run, present, { dto, refuse });
    }
    await this.fields.insert(run.tx, run.account, created);
  }

  private newField(
    dto: FieldDto,
    siblings: readonly FieldDefinition[],
    refuse: (key: string, message: string) => void,
  ): FieldDefinition | undefined {
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
      : { objectType, internalName, label, type, options, standard: false, long };
  }

  private async change(
    run: ApplyRun,
    present: FieldDefinition,
    { dto, refuse }: { readonly dto: FieldDto; readonly refuse: (key: string, message: string) => void },
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
    const keys = differingKeys({ ...present, long }, wanted);
    if (keys.length === 0) return;
    await this.fields.update(run.tx, run.account, { ...present, ...wanted });
    run.updated('field', shown(dto), keys);
  }
}

/** Refuses `long` for a field that cannot be long. @returns whether it has refused */
function refuseLong(
  { long }: FieldDto,
  { type, standard }: Pick<FieldDefinition, 'type' | 'standard'>,
  refuse: (key: string, message: string) => void,
): boolean {
  if (long === undefined || (type === 'string' && !standard)) return false;
  refuse(
    'long',
    `only a custom field of type string can be long, this one is ${standard ? 'standard' : `of type ${type}`}`,
  );
  return true;
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
  refuse: (key: string, message: string) => void,
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

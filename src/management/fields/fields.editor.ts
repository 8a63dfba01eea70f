import { Injectable } from '@nestjs/common';
import {
  FieldsRepository,
  FieldTypeRegistry,
  STANDARD_FIELDS,
  type FieldDefinitionEntity,
  type FieldDto,
  type FieldOption,
  type StoredField,
} from '../../fields/index.js';
import type { ConfigurationChange, Refuse } from '../change/configuration-change.js';
import { archiveUnused } from '../change/archive-unused.js';
import { requireUnused, type InUse } from '../change/in-use.js';
import type { ChangedObject } from '../change/planned-change.js';
import { archivableState } from '../change/managed-row.js';
import { fieldForm } from '../forms/field-form.js';
import { removedOptions, wantedOptions, type OptionsMode } from './field-options.js';
import { FieldUses } from './field-uses.js';
import { IndexedFields } from './indexed-fields.js';
import { newField, refuseIndexed, refuseLong } from './new-field.js';
import { fieldKey } from './router-fields.js';

/** A field as it is wanted. */
export interface WantedField {
  readonly dto: FieldDto;
  readonly refuse: Refuse;
}

/** A field as it is wanted, and the stored one. */
interface ChangedField extends WantedField {
  readonly present: FieldDefinitionEntity;
  readonly mode: OptionsMode;
}

/**
 * Creates, changes and archives fields. An archived field becomes active again, with the values that records
 * hold. Texts that a field holds stay when it is no longer long.
 */
@Injectable()
export class FieldsEditor {
  constructor(
    private readonly fields: FieldsRepository,
    private readonly types: FieldTypeRegistry,
    private readonly uses: FieldUses,
  ) {}

  /**
   * Creates and changes fields.
   * @returns the ids of the fields that were not refused
   * @throws 409 where an option that is removed is in use
   */
  async keep(
    change: ConfigurationChange,
    wanted: readonly WantedField[],
    mode: OptionsMode,
  ): Promise<string[]> {
    const stored = await this.fields.listAll(change.tx, change.account);
    const created: (StoredField & { position: number })[] = [];
    const ids: string[] = [];
    const indexes = new IndexedFields(stored);
    for (const { dto, refuse } of wanted) {
      const siblings = [...stored, ...created].filter(({ objectType }) => objectType === dto.object_type);
      const present = stored.find(isNamed(dto));
      if (present !== undefined) {
        const changed = await this.change(change, { dto, refuse, present, mode });
        if (changed === undefined) continue;
        ids.push(present.id);
        indexes.keep(changed, refuse);
        continue;
      }
      const field = newField(dto, { types: this.types, siblings, refuse });
      if (field === undefined) continue;
      ids.push(field.id);
      created.push({ ...field, position: siblings.length });
      indexes.keep(field, refuse);
      change.note(objectOf(field), { before: null, after: fieldForm(field) });
    }
    indexes.refuseTooMany();
    await this.fields.insert(change.tx, change.account, created);
    return ids;
  }

  /**
   * Archives custom fields. Records keep their values.
   * @returns those that stay because something uses them, and what
   */
  async archive(change: ConfigurationChange, fields: readonly FieldDefinitionEntity[]): Promise<InUse[]> {
    if (fields.length === 0) return [];
    const uses = await this.uses.find(change, fields);
    const leaving = fields.map((field, index) => ({
      object: objectOf(field),
      what: `The field ${fieldKey(field)}`,
      uses: uses[index] ?? [],
    }));
    return archiveUnused(change, leaving, (ids) => this.fields.archive(change.tx, change.account, ids));
  }

  /** @returns the field as it is wanted; undefined where that is refused */
  private async change(
    change: ConfigurationChange,
    { dto, refuse, present, mode }: ChangedField,
  ): Promise<FieldDefinitionEntity | undefined> {
    if (dto.type !== undefined && dto.type !== present.type) {
      refuse('type', `the type of ${fieldKey(present)} is ${present.type} and cannot change`);
      return undefined;
    }
    const { target_object_type: target } = dto;
    if (target !== undefined && target !== present.target) {
      const names = present.target === null ? 'no records' : present.target;
      refuse('target_object_type', `${fieldKey(present)} names ${names}, which cannot change`);
      return undefined;
    }
    if (present.type !== 'enumeration' && dto.options !== undefined) {
      refuse('options', `a ${present.type} field has no options`);
      return undefined;
    }
    const options = wantedOptions(present.options, dto, { mode, refuse });
    if (refuseLong(dto, present, refuse) || options === undefined) return undefined;
    if (!(await this.mayLeave(change, { dto, refuse, present, mode }, options))) return undefined;
    const { label = present.label, long = present.long, indexed = present.indexed } = dto;
    const field = Object.assign({}, present, { label, options, long, indexed, archivedAt: null });
    if (refuseIndexed(field, { types: this.types, refuse })) return undefined;
    const forms = { before: fieldState(present), after: fieldState(field) };
    if (change.note(objectOf(field), forms)) await this.fields.update(change.tx, change.account, field);
    return field;
  }

  /** Whether options can be left out. @throws 409 where one of them is in use */
  private async mayLeave(
    change: ConfigurationChange,
    { refuse, present }: ChangedField,
    options: readonly FieldOption[],
  ): Promise<boolean> {
    const removed = removedOptions(present.options, options);
    if (removed.length === 0) return true;
    const standard = removed.filter((name) => isStandardOption(present, name));
    if (standard.length > 0) {
      refuse('options', `every account has the options ${standard.join(', ')}: they cannot be removed`);
      return false;
    }
    if (options.length === 0) {
      refuse('options', 'an enumeration needs at least one option');
      return false;
    }
    change.throwIfRefused();
    const uses = await this.uses.findOptions(change, present, removed);
    requireUnused({ what: `An option of ${fieldKey(present)}`, uses });
    return true;
  }
}

const isNamed =
  ({ object_type, internal_name }: FieldDto) =>
  ({ objectType, internalName }: StoredField): boolean =>
    objectType === object_type && internalName === internal_name;

function isStandardOption({ objectType, internalName, standard }: StoredField, option: string): boolean {
  const start = STANDARD_FIELDS[objectType].find((field) => field.internalName === internalName);
  return (standard && start?.options.some((each) => each.internalName === option)) ?? false;
}

/** What the audit compares of a field: what the file says, and whether the field is archived. */
function fieldState(field: FieldDefinitionEntity): object {
  return archivableState(fieldForm(field), field);
}

function objectOf(field: StoredField): ChangedObject {
  return { kind: 'field', id: field.id, name: fieldKey(field) };
}

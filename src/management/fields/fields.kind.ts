import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { EntityReader } from '../../database/index.js';
import { conflict } from '../../errors/errors.js';
import {
  FieldDefinitionEntity,
  FieldsRepository,
  FieldTypeRegistry,
  STANDARD_FIELDS,
  type FieldDefinition,
  type FieldDto,
  type FieldOption,
  type ObjectType,
} from '../../fields/index.js';
import type { ConfigurationChange, Fail } from '../change/configuration-change.js';
import { inUse, type InUse } from '../managed/in-use.js';
import { ManagedKind, type Around, type Wanted } from '../managed/managed-kind.js';
import type { RowFilter, WrittenRow } from '../managed/managed.repository.js';
import {
  IndexedFields,
  newField,
  refuseIndexed,
  refuseLong,
  removedOptions,
  wantedOptions,
} from './field-rules.js';
import { fieldKey, FieldUses } from './field-uses.js';

type Row = FieldDefinitionEntity;

/** What fields are checked against, in the order in which they are wanted. */
interface FieldContext {
  /** The fields of the account, archived ones included, and those that are new. */
  readonly fields: WrittenRow<Row>[];
  readonly indexes: IndexedFields;
}

/**
 * Fields of an account. An archived field becomes active again, with the values that records hold. Texts that
 * a field holds stay when it is no longer long.
 */
@Injectable()
export class FieldsKind extends ManagedKind<Row, FieldDto, FieldContext> {
  readonly kind = 'field';
  readonly entity = FieldDefinitionEntity;
  override readonly unique = 'internal_name';
  override readonly order = ['objectType', 'position'];

  constructor(
    private readonly fields: FieldsRepository,
    private readonly types: FieldTypeRegistry,
    private readonly fieldUses: FieldUses,
  ) {
    super();
  }

  override nameOf(field: WrittenRow<Row>): string {
    return fieldKey(field);
  }

  override keyOf(field: WrittenRow<Row> | FieldDto): string {
    if ('objectType' in field) return fieldKey(field);
    return fieldKey({ objectType: field.object_type, internalName: field.internal_name });
  }

  async context(
    db: EntityReader,
    account: AccountContext,
    around: Around<Row, FieldDto>,
  ): Promise<FieldContext> {
    const isRead = around.every(({ dto }) => dto === undefined);
    const fields = isRead ? [] : await this.fields.listAll(db, account);
    return { fields, indexes: new IndexedFields(fields) };
  }

  override filter(
    _db: EntityReader,
    _account: AccountContext,
    { object_type: objectType }: { readonly object_type?: ObjectType },
  ): Promise<RowFilter> {
    return Promise.resolve(objectType === undefined ? {} : { equal: { objectType } });
  }

  form(field: WrittenRow<Row>): object {
    return fieldForm(field);
  }

  override view(field: Row): object {
    return {
      object_type: field.objectType,
      internal_name: field.internalName,
      label: field.label,
      type: field.type,
      standard: field.standard,
      long: field.long,
      indexed: field.indexed,
      ...(field.target === null ? {} : { target_object_type: field.target }),
      options: optionsForm(field),
    };
  }

  override completed(dto: Partial<FieldDto>, { objectType, internalName }: Row, fail: Fail): FieldDto {
    const fixed = { object_type: objectType, internal_name: internalName };
    for (const key of ['object_type', 'internal_name'] as const) {
      if (dto[key] === undefined || dto[key] === fixed[key]) continue;
      fail(key, `the ${key} of this field is ${fixed[key]} and cannot change`);
    }
    return { ...dto, ...fixed };
  }

  async wanted(
    wanted: Wanted<Row, FieldDto>,
    { fields, indexes }: FieldContext,
    change: ConfigurationChange,
  ): Promise<WrittenRow<Row> | undefined> {
    const { dto, present, fail } = wanted;
    const siblings = fields.filter(({ objectType }) => objectType === dto.object_type);
    const made = present === undefined ? newField(dto, { types: this.types, siblings, fail }) : undefined;
    const field =
      present === undefined
        ? made && ({ ...made, ...change.account, position: siblings.length, archivedAt: null } as Row)
        : await this.changed({ ...wanted, present }, change);
    if (field === undefined) return undefined;
    if (present === undefined) fields.push(field);
    indexes.keep(field, fail);
    return field;
  }

  override checkAll({ indexes }: FieldContext): void {
    indexes.refuseTooMany();
  }

  /** Records hold options, and no index has them all. */
  override isLong({ options }: Partial<FieldDto>): boolean {
    return options !== undefined;
  }

  override requireRemovable({ standard }: Row): void {
    if (standard) throw conflict('Every account has this field: it cannot be removed');
  }

  override isPruned({ standard }: Row): boolean {
    return !standard;
  }

  override async uses(
    change: ConfigurationChange,
    fields: readonly Row[],
  ): Promise<ReadonlyMap<string, InUse>> {
    const uses = await this.fieldUses.find(change, fields);
    return new Map(
      fields.flatMap((field, index) => {
        const found = uses[index] ?? [];
        return found.length === 0 ? [] : [[field.id, inUse(`The field ${fieldKey(field)}`, found)] as const];
      }),
    );
  }

  /** A standard field is exported only where options or labels differ from those of a new account. */
  override exported(field: Row): object | undefined {
    const start = STANDARD_FIELDS[field.objectType].find(
      ({ internalName }) => internalName === field.internalName,
    );
    // An account may have had a custom field of the name before it was a standard one.
    if (start === undefined || !field.standard) return fieldForm(field);
    const unchanged = new Set(start.options.map(optionKey));
    const options = field.options.filter((option) => !unchanged.has(optionKey(option)));
    const isChanged = start.label !== field.label || options.length > 0 || field.indexed;
    return isChanged ? fieldForm(Object.assign({}, field, { options })) : undefined;
  }

  /** @returns the field as it is wanted; undefined where that fails @throws as `mayLeave` */
  private async changed(
    { dto, fail, present, replaces }: Wanted<Row, FieldDto> & { readonly present: Row },
    change: ConfigurationChange,
  ): Promise<Row | undefined> {
    const { type, target_object_type: target } = dto;
    const name = fieldKey(present);
    if (type !== undefined && type !== present.type) {
      fail('type', `the type of ${name} is ${present.type} and cannot change`);
      return undefined;
    }
    if (target !== undefined && target !== present.target) {
      fail('target_object_type', `${name} names ${present.target ?? 'no records'}, which cannot change`);
      return undefined;
    }
    if (present.type !== 'enumeration' && dto.options !== undefined) {
      fail('options', `a ${present.type} field has no options`);
      return undefined;
    }
    const options = wantedOptions(present.options, dto, { mode: replaces ? 'replace' : 'merge', fail });
    if (refuseLong(dto, present, fail) || options === undefined) return undefined;
    if (!(await this.mayLeave(change, { present, fail }, options))) return undefined;
    const { label = present.label, long = present.long, indexed = present.indexed } = dto;
    const values = { label, options, long, indexed, archivedAt: null };
    const field = Object.assign({}, present, values);
    return refuseIndexed(field, { types: this.types, fail }) ? undefined : field;
  }

  /** Whether options can be left out. @throws 409 where one of them is in use */
  private async mayLeave(
    change: ConfigurationChange,
    { present, fail }: { readonly present: Row; readonly fail: Fail },
    options: readonly FieldOption[],
  ): Promise<boolean> {
    const removed = removedOptions(present.options, options);
    if (removed.length === 0) return true;
    const standard = removed.filter((name) => isStandardOption(present, name));
    if (standard.length > 0) {
      fail('options', `every account has the options ${standard.join(', ')}: they cannot be removed`);
      return false;
    }
    if (options.length === 0) {
      fail('options', 'an enumeration needs at least one option');
      return false;
    }
    change.throwIfFailed();
    const uses = await this.fieldUses.findOptions(change, present, removed);
    if (uses.length > 0) throw inUse(`An option of ${fieldKey(present)}`, uses).error;
    return true;
  }
}

/** Returns a field as the configuration file spells it. */
function fieldForm(field: FieldDefinition): object {
  return {
    object_type: field.objectType,
    internal_name: field.internalName,
    label: field.label,
    type: field.type,
    ...(field.long === true ? { long: true } : {}),
    ...(field.indexed === true ? { indexed: true } : {}),
    ...(field.type === 'reference' && field.target ? { target_object_type: field.target } : {}),
    ...(field.type === 'enumeration' ? { options: optionsForm(field) } : {}),
  };
}

function optionsForm({ options }: Pick<FieldDefinition, 'options'>): object[] {
  return options.map(({ internalName, label }) => ({ internal_name: internalName, label }));
}

function optionKey({ internalName, label }: FieldOption): string {
  return JSON.stringify([internalName, label]);
}

function isStandardOption({ objectType, internalName, standard }: FieldDefinition, option: string): boolean {
  const start = STANDARD_FIELDS[objectType].find((field) => field.internalName === internalName);
  return (standard && start?.options.some((each) => each.internalName === option)) ?? false;
}

import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { EntityReader } from '../../database/index.js';
import {
  FieldDefinitionEntity as Row,
  FieldDto,
  FieldsRepository,
  FieldTypeRegistry,
  OBJECT_TYPES,
  STANDARD_FIELDS,
  type FieldDefinition,
  type FieldOption,
  type ObjectType,
  type StoredField,
} from '../../fields/index.js';
import { closedObject, listOf, NAME } from '../../http/openapi/schemas.js';
import { oneOf } from '../../http/query/parameters.js';
import { countValues } from '../../records/index.js';
import { inUse, usesById, type ConfigurationChange, type Fail } from '../change/configuration-change.js';
import { ConfigurationUses, fieldKey, optionKey } from '../change/configuration-uses.js';
import type { KindDocs } from '../managed/managed-docs.js';
import type { Around, Uses, Wanted } from '../managed/kind-declaration.js';
import { ManagedKind } from '../managed/managed-kind.js';
import type { RowFilter, WrittenRow } from '../managed/managed.repository.js';
import { wantedField } from './field-rules.js';

/** What fields are checked against, in the order in which they are wanted. */
interface FieldContext {
  /** The fields of the account as they become, by id, archived ones included. */
  readonly fields: Map<string, Row>;
  /** Those that get an index. */
  readonly added: { readonly field: Row; readonly fail: Fail }[];
}

/** The most fields of an object type that have an index: each is one more row to write with a record. */
const MOST_INDEXED = 20;

/** The body of a request that creates a field, for the OpenAPI document. */
const EXAMPLE = {
  object_type: 'contacts',
  internal_name: 'region',
  label: 'Region',
  type: 'enumeration',
  options: [{ internal_name: 'emea', label: 'EMEA' }, { internal_name: 'apac' }],
};

const ENUMERATED = 'Only of an enumeration. In a PATCH: all of them, and the others are removed';

/** Fields of an account. An archived field becomes active again, with the values that records hold. */
@Injectable()
export class FieldsKind extends ManagedKind<Row, FieldDto, FieldContext> {
  static readonly docs: KindDocs = {
    one: 'field',
    many: 'fields',
    dto: FieldDto,
    required: ['object_type', 'internal_name', 'type'],
    read: ['records:read', 'manage'],
    filters: { object_type: oneOf(OBJECT_TYPES, {}) },
    notes: {
      create: 'An archived field with the name becomes active again, with the values of records.',
      update:
        'Changes the keys that the body has: `options` is the whole list, of which what records, triggers or ' +
        'capacities name cannot be left out. The type and the names of a field stay.',
      archive: 'Hides a custom field with its values. Refused while a router or a capacity names it.',
    },
    about: {
      internal_name: 'The key of the field in records; never changes',
      type: '`string`, `number`, `bool`, `datetime`, `enumeration`, `user`, `reference` or of an extension; never changes',
      long: 'Takes texts of up to 256 KiB; only a custom field of type string',
      indexed:
        'Has an index for searches, which is built in the background; not a long field, and no unique key or owner, ' +
        'which have one anyway; at most 20 fields of an object type',
      target_object_type:
        'Of a field of type `reference`, which needs it: the type of the records that it names; never changes',
      options: ENUMERATED,
      'options.internal_name': 'What records hold',
    },
    sometimes: ['target_object_type'],
    shown: {
      standard: { type: 'boolean', description: 'Every account has it, and it cannot be removed' },
      options: {
        ...listOf(
          closedObject({ internal_name: { ...NAME, description: 'What records hold' }, label: NAME }),
          5000,
        ),
        description: ENUMERATED,
      },
    },
    example: EXAMPLE,
    changes: {
      label: 'Sales region',
      options: [
        { internal_name: 'emea' },
        { internal_name: 'apac' },
        { internal_name: 'latam', label: 'LATAM' },
      ],
    },
    shownExample: {
      ...EXAMPLE,
      ...{ standard: false, long: false, indexed: false },
      options: [
        { internal_name: 'emea', label: 'EMEA' },
        { internal_name: 'apac', label: 'apac' },
      ],
    },
  };

  readonly entity = Row;
  override readonly unique = 'internal_name';
  override get order(): readonly string[] {
    return ['objectType', 'position'];
  }

  constructor(
    private readonly fields: FieldsRepository,
    private readonly types: FieldTypeRegistry,
    private readonly named: ConfigurationUses,
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
    const stored = isRead ? [] : await this.fields.listAll(db, account);
    return { fields: new Map(stored.map((field) => [field.id, field])), added: [] };
  }

  override filter(
    _db: EntityReader,
    _account: AccountContext,
    { object_type: objectType }: { readonly object_type?: ObjectType },
  ): RowFilter {
    return objectType === undefined ? {} : { equal: { objectType } };
  }

  form(field: WrittenRow<Row>): object {
    return {
      object_type: field.objectType,
      internal_name: field.internalName,
      label: field.label,
      type: field.type,
      ...(field.long ? { long: true } : {}),
      ...(field.indexed ? { indexed: true } : {}),
      ...(field.target ? { target_object_type: field.target } : {}),
      ...(field.type === 'enumeration' ? { options: optionsForm(field) } : {}),
    };
  }

  override view(field: Row): object {
    const { standard, long, indexed } = field;
    return { ...this.form(field), standard, long, indexed, options: optionsForm(field) };
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
    { fields, added }: FieldContext,
    change: ConfigurationChange,
  ): Promise<Row | undefined> {
    const { dto, present, fail } = wanted;
    const failures = change.errors.length;
    const siblings = [...fields.values()].filter(({ objectType }) => objectType === dto.object_type);
    const becoming = wantedField(wanted, { types: this.types, siblings });
    if (becoming === undefined) return undefined;
    await this.requireLeavable(change, becoming, { present, fail });
    if (change.errors.length > failures) return undefined;
    const place = { accountId: change.account.accountId, position: siblings.length };
    const field = Object.assign(place, becoming, { archivedAt: null }) as Row;
    fields.set(field.id, field);
    if (field.indexed && !(present?.archivedAt === null && present.indexed)) added.push({ field, fail });
    return field;
  }

  /** Refuses the last of the indexes that are added where a type has more than it may. */
  override saving(_change: unknown, _rows: unknown, { fields, added }: FieldContext): void {
    const indexed = [...fields.values()].filter((field) => field.indexed && field.archivedAt === null);
    for (const type of OBJECT_TYPES) {
      const excess = indexed.filter(({ objectType }) => objectType === type).length - MOST_INDEXED;
      const last = added
        .filter(({ field }) => field.objectType === type)
        .slice(excess > 0 ? -excess : Infinity);
      for (const { field, fail } of last) {
        const most = `at most ${MOST_INDEXED} fields of ${type} can`;
        fail('indexed', `${fieldKey(field)} cannot have an index: ${most}`);
      }
    }
  }

  /** Records hold options, and no index has them all. */
  override isLong({ options }: Partial<FieldDto>): boolean {
    return options !== undefined;
  }

  override keptFor({ standard }: Row): string | undefined {
    return standard ? 'Every account has this field: it cannot be removed' : undefined;
  }

  /** Routers and capacities. Values of records are no uses. */
  override async uses(change: ConfigurationChange, fields: readonly Row[]): Promise<Uses> {
    const usesOf = await this.named.load(change);
    return usesById(fields, (field) => ({
      what: `The field ${fieldKey(field)}`,
      uses: usesOf(fieldKey(field)),
    }));
  }

  /** A standard field is exported only where options or labels differ from those of a new account. */
  override exported(field: Row): object | undefined {
    const start = startOf(field);
    // An account may have had a custom field of the name before it was a standard one.
    if (start === undefined || !field.standard) return this.form(field);
    const unchanged = new Set(start.options.map(optionForm));
    const options = field.options.filter((option) => !unchanged.has(optionForm(option)));
    const isChanged = start.label !== field.label || options.length > 0 || field.indexed;
    return isChanged ? this.form(Object.assign({}, field, { options })) : undefined;
  }

  /** Refuses that options are left out where they cannot be. @throws 409 where one of them is in use */
  private async requireLeavable(
    change: ConfigurationChange,
    field: StoredField,
    { present, fail }: Pick<Wanted<Row, FieldDto>, 'present' | 'fail'>,
  ): Promise<void> {
    const kept = new Set(field.options.map(({ internalName }) => internalName));
    const before = present?.options.map(({ internalName }) => internalName) ?? [];
    const removed = before.filter((name) => !kept.has(name));
    const start = field.standard ? (startOf(field)?.options ?? []) : [];
    const standard = removed.filter((name) => start.some(({ internalName }) => internalName === name));
    if (standard.length > 0) {
      return fail('options', `every account has the options ${standard.join(', ')}: they cannot be removed`);
    }
    if (field.type === 'enumeration' && kept.size === 0) {
      return fail('options', 'an enumeration needs at least one option');
    }
    if (removed.length === 0) return;
    change.throwIfFailed();
    const uses = await this.optionUses(change, field, removed);
    if (uses.length > 0) throw inUse(`An option of ${fieldKey(field)}`, uses).error;
  }

  /** @returns a text for each use of an option, such as `emea by 12 records` */
  private async optionUses(
    change: ConfigurationChange,
    field: StoredField,
    options: readonly string[],
  ): Promise<string[]> {
    const usesOf = await this.named.load(change);
    const { objectType, internalName } = field;
    const counted = { objectType, field: internalName, values: options };
    const held = await countValues(change.tx, change.account, counted);
    return options.flatMap((option) => {
      const records = held.get(option) ?? 0;
      const byRecords = records === 0 ? [] : [records === 1 ? '1 record' : `${records} records`];
      return [...byRecords, ...usesOf(optionKey(field, option))].map((use) => `${option} by ${use}`);
    });
  }
}

/** Returns the standard field of the name, as a new account has it. */
function startOf({ objectType, internalName }: StoredField): FieldDefinition | undefined {
  return STANDARD_FIELDS[objectType].find((field) => field.internalName === internalName);
}

function optionsForm({ options }: Pick<FieldDefinition, 'options'>): object[] {
  return options.map(({ internalName, label }) => ({ internal_name: internalName, label }));
}

const optionForm = ({ internalName, label }: FieldOption): string => JSON.stringify([internalName, label]);

import { Inject, Injectable } from '@nestjs/common';
import type { AccountConfiguration } from '../configuration/index.js';
import type { FieldError } from '../errors/domain-error.js';
import { Failures } from '../errors/errors.js';
import {
  FieldTypeRegistry,
  ownerChanges,
  validateFields,
  type FieldChanges,
  type FieldEnvironment,
  type ObjectType,
  type WriteKind,
} from '../fields/index.js';
import { bytesOf } from '../settings/rules.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { isPlainObject } from '../text/is-plain-object.js';
import { idName, keyForm, namedBy, type KeyValue, type RecordName } from './record-key.js';
import { resolveExtras, type RecordSelection } from './record-selection.js';
import { sizeProblem } from './record-size.js';
import type { RecordValues } from './records.repository.js';

/** A record as a client names it. */
export interface RecordAddress {
  readonly objectType: ObjectType;
  /** The id; with `property`, the value of that key, in any form that the field takes. */
  readonly id: string;
  /** A unique key of the type; undefined for the id. */
  readonly property?: string | undefined;
}

interface WrittenFields {
  readonly fields: unknown;
  /** Finds the records that its references name: see ReferenceResolver. */
  readonly findRecord: NonNullable<FieldEnvironment['findRecord']>;
}

/** Validates writes of records against the configuration of their account (clauses 2.4 to 2.7). */
@Injectable()
export class RecordValidator {
  /** The most bytes of the fields of a record. */
  readonly maxBytes: number;

  constructor(
    private readonly fieldTypes: FieldTypeRegistry,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.maxBytes = bytesOf(settings.RECORD_LIMIT);
  }

  /** Returns a value as a unique key is compared: `https://www.x.com/a` as `x.com`. Or what is wrong with it. */
  key(
    { catalog }: AccountConfiguration,
    objectType: ObjectType,
    { property, value }: KeyValue,
  ): { readonly key: KeyValue } | { readonly key: undefined; readonly error: FieldError } {
    const context = { catalog, types: this.fieldTypes, environment: { findUser: () => undefined } };
    const result = validateFields({ [property]: value }, { mode: 'update', objectType }, context);
    const stored = result.ok ? result.changes.get(property) : undefined;
    if (typeof stored === 'string')
      return { key: { property, value: keyForm(objectType, property, stored) } };
    const empty = { field: property, message: `${property} must not be empty` };
    return { key: undefined, error: (result.ok ? undefined : result.errors[0]) ?? empty };
  }

  /** Returns how statements name the record that has an address; undefined for what no record can have. */
  name(
    configuration: AccountConfiguration,
    { objectType, id, property }: RecordAddress,
  ): RecordName | undefined {
    const by = namedBy(property);
    if (property === undefined) return idName({ objectType, id });
    const { key } = this.key(configuration, objectType, { property, value: id });
    return key && { objectType, by, name: key.value };
  }

  /** Whether fields have another value of a unique key than that of a name, or one that is none. */
  hasOtherKey(
    configuration: AccountConfiguration,
    {
      objectType,
      property = '',
      name,
    }: Pick<RecordAddress, 'objectType' | 'property'> & { name?: string | undefined },
    fields: unknown,
  ): boolean {
    if (!isPlainObject(fields) || !Object.hasOwn(fields, property)) return false;
    const given = { property, value: fields[property] as string };
    return this.key(configuration, objectType, given).key?.value !== name;
  }

  /** @throws DomainError 400 listing all that is wrong with the selection and the fields */
  validate(
    configuration: AccountConfiguration,
    { objectType, fields, mode, findRecord }: WriteKind & WrittenFields,
    selection: RecordSelection,
  ): { readonly values: RecordValues; readonly extras: readonly string[] } {
    const { version, catalog, directory } = configuration;
    const failures = new Failures();
    const extras = resolveExtras(catalog, objectType, { selection, failures });
    const owners: string[] = [];
    let changes: FieldChanges = new Map();
    // Without fields, that is what is wrong.
    if (fields !== undefined || !failures.any) {
      const environment = { findUser: (idOrEmail: string) => directory.findUser(idOrEmail), findRecord };
      const context = { catalog, types: this.fieldTypes, environment };
      const result = validateFields(fields, { mode, objectType }, context);
      if (result.ok) {
        changes = directory.names.stored(result.changes, catalog.userFieldNames(objectType));
        owners.push(...ownerChanges(changes, objectType, catalog));
      } else failures.addFields(result.errors);
    }
    const limit = { bytes: this.maxBytes, apart: catalog.longFields(objectType) };
    const values = { objectType, version, changes, owners, limit };
    const problem = mode === 'create' ? sizeProblem({}, values) : undefined;
    if (problem !== undefined) failures.addFields([problem]);
    failures.throwIfAny();
    return { values, extras };
  }
}

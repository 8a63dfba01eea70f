import type { FieldDefinition } from '../field-definition.js';
import { OBJECT_TYPES, type ObjectType } from '../object-type.js';
import { ALWAYS_RETURNED, assignedDateOf, isSystemManaged, isSystemProperty } from './reserved-names.js';
import { STANDARD_FIELDS } from './standard-fields.js';

/**
 * The names of a `properties` parameter: known names to add to the default fields, and names that no response
 * can have.
 */
export interface ResolvedProperties {
  readonly extras: string[];
  readonly invalid: string[];
}

/** The fields of one object type, prepared for look-ups. */
interface TypeFields {
  readonly byName: ReadonlyMap<string, FieldDefinition>;
  readonly all: readonly FieldDefinition[];
  readonly userNames: readonly string[];
  readonly long: readonly string[];
  readonly references: readonly FieldDefinition[];
  readonly assignedDates: ReadonlySet<string>;
}

/**
 * The fields of one account in one version of its configuration. Immutable, so it can be shared and cached.
 */
export class FieldCatalog {
  private readonly types: ReadonlyMap<ObjectType, TypeFields>;

  /** @param fields every field of one account, of all object types, in display order */
  constructor(fields: readonly FieldDefinition[]) {
    this.types = new Map(
      OBJECT_TYPES.map((objectType) => {
        const own = fields.filter((field) => field.objectType === objectType);
        return [objectType, isStandard(own, objectType) ? standardFields(objectType) : prepare(own)];
      }),
    );
  }

  /** The fields of the types that differ from those of a new account. Accounts share the others. */
  get own(): readonly FieldDefinition[] {
    return [...this.types].flatMap(([objectType, type]) =>
      type === STANDARD.get(objectType) ? [] : type.all,
    );
  }

  /** The field of that internal name; undefined when the object type has none. */
  get(objectType: ObjectType, name: string): FieldDefinition | undefined {
    return this.of(objectType).byName.get(name);
  }

  /** Every field of the object type, in display order. */
  all(objectType: ObjectType): readonly FieldDefinition[] {
    return this.of(objectType).all;
  }

  /** The names of the fields whose type is `user`, custom ones included: each has an assigned date. */
  userFieldNames(objectType: ObjectType): readonly string[] {
    return this.of(objectType).userNames;
  }

  /** The names of the fields for long texts, which do not count towards the size of a record. */
  longFields(objectType: ObjectType): readonly string[] {
    return this.of(objectType).long;
  }

  /** The fields whose type is `reference`. */
  references(objectType: ObjectType): readonly FieldDefinition[] {
    return this.of(objectType).references;
  }

  /** Whether only the service sets that field (clause 2.5). A request that sets it is refused. */
  isSystemManaged(objectType: ObjectType, name: string): boolean {
    return isSystemManaged(name) || this.of(objectType).assignedDates.has(name);
  }

  /**
   * Divides the names of a `properties` parameter (clause 2.3) into two lists, in the order given, each name
   * once:
   * - `extras`: fields of the type (default fields included), `record_id`, `create_date`,
   *   `last_modified_date` and assigned dates of user fields;
   * - `invalid`: names that do not exist.
   *
   * The properties of every response (`id`, `archived`, `created_at`, `updated_at`) are valid and need no
   * adding, so they are in neither list.
   */
  resolveProperties(objectType: ObjectType, names: readonly string[]): ResolvedProperties {
    const { byName, assignedDates } = this.of(objectType);
    const extras: string[] = [];
    const invalid: string[] = [];
    for (const name of new Set(names)) {
      if (byName.has(name) || isSystemProperty(name) || assignedDates.has(name)) extras.push(name);
      else if (!ALWAYS_RETURNED.includes(name)) invalid.push(name);
    }
    return { extras, invalid };
  }

  /**
   * The date of that internal name which the service manages: `create_date`, `last_modified_date`, or the
   * assigned date of a user field; undefined for any other name.
   */
  managedDate(objectType: ObjectType, name: string): FieldDefinition | undefined {
    const isDate = isSystemProperty(name)
      ? name !== 'record_id'
      : this.of(objectType).assignedDates.has(name);
    if (!isDate) return undefined;
    return { objectType, internalName: name, label: name, type: 'datetime', options: [], standard: true };
  }

  private of(objectType: ObjectType): TypeFields {
    const fields = this.types.get(objectType);
    if (fields === undefined) throw new Error(`Unknown object type: ${objectType}`);
    return fields;
  }
}

/** The standard fields by object type, prepared once for all accounts that have added none. */
const STANDARD = new Map<ObjectType, TypeFields>();

function standardFields(objectType: ObjectType): TypeFields {
  const shared = STANDARD.get(objectType) ?? prepare(STANDARD_FIELDS[objectType]);
  STANDARD.set(objectType, shared);
  return shared;
}

function isStandard(own: readonly FieldDefinition[], objectType: ObjectType): boolean {
  return contents(own) === contents(STANDARD_FIELDS[objectType]);
}

function contents(fields: readonly FieldDefinition[]): string {
  const all = fields.map((field) => {
    const { internalName, label, type, options, standard, long = false, indexed = false } = field;
    const named = options.map((option) => [option.internalName, option.label]);
    return [internalName, label, type, named, standard, long, indexed, field.target ?? null];
  });
  return JSON.stringify(all);
}

function prepare(own: readonly FieldDefinition[]): TypeFields {
  const byName = new Map(own.map((field) => [field.internalName, field]));
  const all = [...byName.values()];
  const userNames = all.filter((field) => field.type === 'user').map((field) => field.internalName);
  return {
    byName,
    all,
    userNames,
    long: all.filter((field) => field.long === true).map((field) => field.internalName),
    references: all.filter((field) => field.type === 'reference'),
    assignedDates: new Set(userNames.map(assignedDateOf)),
  };
}

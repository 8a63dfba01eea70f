import type { FieldDefinition } from '../field-definition.js';
import { OBJECT_TYPES, type ObjectType } from '../object-type.js';
import { ALWAYS_RETURNED, assignedDateOf, isSystemManaged, isSystemProperty } from './reserved-names.js';
import { STANDARD_FIELDS } from './standard-fields.js';

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
  private readonly types: FieldsByType;

  /** @param fields every field of one account, of all object types, in display order */
  constructor(fields: readonly FieldDefinition[]) {
    this.types = byType((objectType) => {
      const own = fields.filter((field) => field.objectType === objectType);
      const standard = STANDARD[objectType];
      return contents(own) === contents(standard.all) ? standard : prepare(own);
    });
  }

  /** The fields of the types that differ from those of a new account. Accounts share the others. */
  get own(): readonly FieldDefinition[] {
    return OBJECT_TYPES.map((objectType) => this.types[objectType])
      .filter((type) => !Object.values(STANDARD).includes(type))
      .flatMap(({ all }) => all);
  }

  /** The field of that internal name; undefined when the object type has none. */
  get(objectType: ObjectType, name: string): FieldDefinition | undefined {
    return this.types[objectType].byName.get(name);
  }

  /** Every field of the object type, in display order. */
  all(objectType: ObjectType): readonly FieldDefinition[] {
    return this.types[objectType].all;
  }

  /** The names of the fields whose type is `user`, custom ones included: each has an assigned date. */
  userFieldNames(objectType: ObjectType): readonly string[] {
    return this.types[objectType].userNames;
  }

  /** The names of the fields for long texts, which do not count towards the size of a record. */
  longFields(objectType: ObjectType): readonly string[] {
    return this.types[objectType].long;
  }

  /** The fields whose type is `reference`. */
  references(objectType: ObjectType): readonly FieldDefinition[] {
    return this.types[objectType].references;
  }

  /** Whether only the service sets that field (clause 2.5). A request that sets it is refused. */
  isSystemManaged(objectType: ObjectType, name: string): boolean {
    return isSystemManaged(name) || this.types[objectType].assignedDates.has(name);
  }

  /**
   * Divides the names of a `properties` parameter (clause 2.3) in two, in the order given, each name once:
   * `extras`, which are known, and `invalid`. Those that every response has are in neither.
   */
  resolveProperties(objectType: ObjectType, names: readonly string[]) {
    const { byName, assignedDates } = this.types[objectType];
    const extras: string[] = [];
    const invalid: string[] = [];
    for (const name of new Set(names)) {
      if (byName.has(name) || isSystemProperty(name) || assignedDates.has(name)) extras.push(name);
      else if (!ALWAYS_RETURNED.includes(name)) invalid.push(name);
    }
    return { extras, invalid };
  }

  /** The date that the service manages by that name, such as an assigned date; undefined for others. */
  managedDate(objectType: ObjectType, name: string): FieldDefinition | undefined {
    const isDate = isSystemProperty(name)
      ? name !== 'record_id'
      : this.types[objectType].assignedDates.has(name);
    if (!isDate) return undefined;
    return { objectType, internalName: name, label: name, type: 'datetime', options: [], standard: true };
  }
}

type FieldsByType = Readonly<Record<ObjectType, TypeFields>>;

function byType(fieldsOf: (objectType: ObjectType) => TypeFields): FieldsByType {
  return Object.fromEntries(OBJECT_TYPES.map((type) => [type, fieldsOf(type)])) as FieldsByType;
}

/** The standard fields, prepared once for all accounts that have changed none. */
const STANDARD = byType((objectType) => prepare(STANDARD_FIELDS[objectType]));

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

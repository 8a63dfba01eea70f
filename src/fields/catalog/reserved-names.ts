import type { FieldDefinition } from '../field-definition.js';

const CUSTOM_NAME = /^[a-z][a-z0-9_]{0,62}$/;

/** System-managed fields that are returned only when `properties` names them (clauses 2.3 and 2.5). */
export const SYSTEM_PROPERTIES = ['record_id', 'create_date', 'last_modified_date'] as const;
export type SystemProperty = (typeof SYSTEM_PROPERTIES)[number];

/** Whether a name is that of a system-managed field that every object type has. */
export function isSystemProperty(name: string): name is SystemProperty {
  return SYSTEM_PROPERTIES.some((known) => known === name);
}

/** Properties that every response contains anyway (clause 2.1). */
export const ALWAYS_RETURNED: readonly string[] = ['id', 'archived', 'created_at', 'updated_at'];

const RESERVED: ReadonlySet<string> = new Set([...ALWAYS_RETURNED, 'archived_by', ...SYSTEM_PROPERTIES]);

/** What follows the name of a user field in the name of its assigned date. */
export const ASSIGNED_DATE_SUFFIX = '_assigned_date';

/** Returns the name of the date at which a user field was last set: `deal_owner_assigned_date`. */
export function assignedDateOf(userField: string): string {
  return `${userField}${ASSIGNED_DATE_SUFFIX}`;
}

/**
 * Whether a name is reserved in every account: it cannot be sent in `fields` and no custom field can have it
 * (clause 2.5). The assigned dates of an account's custom user fields are reserved as well; see
 * `FieldCatalog.isSystemManaged`.
 */
export function isSystemManaged(name: string): boolean {
  return RESERVED.has(name) || name.endsWith(`_owner${ASSIGNED_DATE_SUFFIX}`);
}

type NamedField = Pick<FieldDefinition, 'internalName' | 'type'>;

/**
 * Why a custom field may not have its internal name beside the other fields of its object type; undefined if
 * it may. Whether one of them has the same name is not checked here.
 */
export function customNameProblem(field: NamedField, others: readonly NamedField[]): string | undefined {
  const name = field.internalName;
  if (!CUSTOM_NAME.test(name)) {
    return 'internal_name must be 1 to 63 lower-case letters, digits and underscores, and start with a letter';
  }
  const dates = others
    .filter(({ type }) => type === 'user')
    .map((other) => assignedDateOf(other.internalName));
  if (isSystemManaged(name) || dates.includes(name)) return `internal_name ${name} is reserved`;
  if (field.type === 'user' && others.some((other) => other.internalName === assignedDateOf(name))) {
    return `internal_name ${name} would reserve ${assignedDateOf(name)}, which is a field already`;
  }
  return undefined;
}

import { OBJECT_TYPE_RULES, type ObjectType } from '../object-type.js';
import type { FieldCatalog } from '../catalog/field-catalog.js';
import type { FieldDefinition } from '../field-definition.js';
import type { FieldEnvironment, ParseResult } from '../types/field-type.js';
import type { FieldTypeRegistry } from '../types/field-type-registry.js';
import { isPlainObject } from '../../text/is-plain-object.js';
import { LongNumber } from '../../text/long-number.js';
import { textProblem } from '../../text/text-problem.js';
import { shownName } from '../../text/shown-name.js';

/** The changes of a write: internal name → stored value, in the order of the body. Null clears the field. */
export type FieldChanges = ReadonlyMap<string, string | null>;

/** Why a write is refused. `field` is left out for an error that concerns no single field. */
interface FieldError {
  readonly field?: string;
  readonly message: string;
}

/** The changes of a write, or all its errors, at least one. */
export type ValidationResult = { ok: true; changes: FieldChanges } | { ok: false; errors: FieldError[] };

/** The kind of a write. */
export interface WriteKind {
  readonly mode: 'create' | 'update';
  readonly objectType: ObjectType;
}

/** What fields are validated against. */
export interface FieldContext {
  /** The fields of the account. */
  readonly catalog: FieldCatalog;
  readonly types: FieldTypeRegistry;
  readonly environment: FieldEnvironment;
}

/**
 * Validates the `fields` object of a write (clauses 2.4 to 2.7). The errors name every failing field in the
 * order of the body, then the fields that a create lacks. Fields that a create clears are no changes. Never
 * throws, whatever the input.
 */
export function validateFields(
  input: unknown,
  { mode, objectType }: WriteKind,
  { catalog, types, environment }: FieldContext,
): ValidationResult {
  if (!isPlainObject(input)) {
    const message = 'fields must be an object of field names and values';
    return { ok: false, errors: [{ field: 'fields', message }] };
  }
  const changes = new Map<string, string | null>();
  const errors: FieldError[] = [];
  const failed = new Set<string>();
  for (const name of Object.keys(input)) {
    const result = parseField(name, input[name]);
    if (!result.ok) {
      failed.add(name);
      errors.push({ field: shownName(name), message: result.message });
    } else if (result.value !== '') changes.set(name, result.value);
    else if (mode === 'update') changes.set(name, null);
  }
  if (mode === 'create') {
    errors.push(...missingFields(objectType, (name) => changes.has(name) || failed.has(name)));
  }
  return errors.length > 0 ? { ok: false, errors } : { ok: true, changes };

  /** The stored value of a field; an empty one clears it. */
  function parseField(name: string, value: unknown): ParseResult {
    if (catalog.isSystemManaged(objectType, name)) {
      return { ok: false, message: `Field cannot be set: ${shownName(name)}` };
    }
    const field = catalog.get(objectType, name);
    if (field === undefined) return { ok: false, message: `Unknown field: ${shownName(name)}` };
    if (value === null || (typeof value === 'string' && value.trim() === '')) return { ok: true, value: '' };
    const type = types.get(field.type);
    if (type === undefined) return { ok: false, message: `${name} has a type this service does not know` };
    const result = type.parse(asGiven(value, field), field, environment);
    // A type of an extension may return text that the database cannot store.
    const problem = result.ok ? textProblem(result.value) : undefined;
    return problem === undefined ? result : { ok: false, message: `${name} ${problem}` };
  }
}

/** The errors of a create that lacks fields (clause 2.7). @param isPresent also where it is refused */
function missingFields(objectType: ObjectType, isPresent: (name: string) => boolean): FieldError[] {
  const rule = OBJECT_TYPE_RULES[objectType].requiredOnCreate;
  if ('anyOf' in rule) {
    const message = `At least one of ${rule.anyOf.join(', ')} is required`;
    return rule.anyOf.some(isPresent) ? [] : [{ message }];
  }
  const missing = rule.allOf.filter((name) => !isPresent(name));
  return missing.map((name) => ({ field: name, message: `Required field: ${name}` }));
}

/** Numbers with many digits are kept by the types that store digits. For others they are ordinary numbers. */
function asGiven(value: unknown, { type }: FieldDefinition): unknown {
  return value instanceof LongNumber && type !== 'number' && type !== 'string' ? Number(value) : value;
}

/** Names of the user fields among the changes: the write sets or clears their assigned dates (clause 2.5). */
export function ownerChanges(changes: FieldChanges, objectType: ObjectType, catalog: FieldCatalog): string[] {
  return [...changes.keys()].filter((name) => catalog.get(objectType, name)?.type === 'user');
}

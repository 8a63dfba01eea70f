import { isId } from '../../text/is-id.js';
import { isPlainObject } from '../../text/is-plain-object.js';
import { OBJECT_TYPE_RULES } from '../object-type.js';
import type { FieldDefinition } from '../field-definition.js';
import { refused, type FieldEnvironment, type NamedTarget, type ParseResult } from './field-type.js';

/**
 * A record of another object type, or of the same (contract section 7): the id of an active one, or
 * `{"<unique key>": value}`. Stored as the id. Where records are not looked for, any id is taken.
 */
export const REFERENCE = {
  id: 'reference',
  parse(value: unknown, field: FieldDefinition, { findRecord }: FieldEnvironment): ParseResult {
    const name = field.internalName;
    const target = namedTarget(value, field);
    if (target === undefined) return refused(field, `must be ${accepted(field)}`);
    if (findRecord !== undefined) {
      const found = findRecord(target);
      if (found?.ok === true) return found;
      // What does not exist, is archived, or is another account's or of another type is refused alike.
      const unknown = `Unknown ${singularOf(field)}: ${name} must be ${accepted(field)}`;
      return { ok: false, message: found === undefined ? unknown : `${name}: ${found.message}` };
    }
    if (target.property === 'id' && isId(String(target.value)))
      return { ok: true, value: String(target.value).toLowerCase() };
    return refused(field, `must be the id of a ${singularOf(field)} here`);
  },
};

/** Returns the record that a value of a reference names; undefined for a value that has another form. */
export function namedTarget(value: unknown, { target }: FieldDefinition): NamedTarget | undefined {
  if (target === undefined || target === null) return undefined;
  if (typeof value === 'string') return { objectType: target, property: 'id', value };
  if (!isPlainObject(value)) return undefined;
  const [property, ...others] = Object.keys(value);
  if (property === undefined || others.length > 0) return undefined;
  if (!OBJECT_TYPE_RULES[target].uniqueKeys.includes(property)) return undefined;
  return { objectType: target, property, value: value[property] };
}

function accepted({ target }: FieldDefinition): string {
  if (target === undefined || target === null) return 'empty, as it names no object type';
  const { singular, uniqueKeys } = OBJECT_TYPE_RULES[target];
  const keys = uniqueKeys.map((key) => `{"${key}": value}`).join(' or ');
  return `the id of an active ${singular}, or ${keys}`;
}

function singularOf({ target }: FieldDefinition): string {
  return target === undefined || target === null ? 'record' : OBJECT_TYPE_RULES[target].singular;
}

import { OBJECT_TYPE_RULES } from '../catalog/object-type-rules.js';
import type { ObjectType } from '../object-type.js';
import type { FieldError } from './field-error.js';

/**
 * The errors of a create without its required fields (clause 2.7).
 * @param isPresent whether the body has the field: with a value, or with one that is refused for another
 *   reason
 */
export function missingFields(objectType: ObjectType, isPresent: (name: string) => boolean): FieldError[] {
  const rule = OBJECT_TYPE_RULES[objectType].requiredOnCreate;
  if ('anyOf' in rule) {
    const message = `At least one of ${rule.anyOf.join(', ')} is required`;
    return rule.anyOf.some(isPresent) ? [] : [{ message }];
  }
  const missing = rule.allOf.filter((name) => !isPresent(name));
  return missing.map((name) => ({ field: name, message: `Required field: ${name}` }));
}

import type { FieldError } from '../errors/domain-error.js';
import { shownName } from '../text/shown-name.js';

/**
 * What class-transformer and class-validator pass over in a plain value, at any depth: keys that every object
 * inherits, which they leave out without a word, and lists in the place of objects.
 * @param value without cycles
 */
export function unreadableParts(value: unknown, path = ''): FieldError[] {
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, child]: [string, unknown]) => {
    const name = path === '' ? shownName(key) : `${path}.${shownName(key)}`;
    const field = isList ? `${path}[${key}]` : name;
    if (!isList && key in Object.prototype) return [{ field, message: `Unknown key: ${key}` }];
    if (isList && Array.isArray(child)) return [{ field, message: `${field} must not be a list in a list` }];
    return unreadableParts(child, field);
  });
}

import type { FieldError } from '../errors/domain-error.js';
import { shownName } from '../text/shown-name.js';

/**
 * Finds what class-transformer and class-validator ignore in a plain value, at any depth: keys that every
 * object inherits, such as `constructor`, and lists in lists.
 * @param value a value without cycles
 * @param path path of the value; empty for the outermost one
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

import type { FieldError } from '../errors/domain-error.js';
import { MAX_ERRORS } from '../errors/errors.js';
import { shownName, shownPath } from '../text/shown-name.js';

/**
 * Returns a plain value without the keys that every object inherits, such as `constructor`, at any depth.
 * class-transformer fails on such a key.
 * @param value without cycles; it is not changed
 * @param failures receives each of these keys, and each list in a list, which class-validator ignores; at
 *   most as many as an error lists
 */
export function readableValue(value: unknown, failures: FieldError[]): unknown {
  return readable(value, '', (field, message) => {
    const shown = shownPath(field);
    if (failures.length < MAX_ERRORS) failures.push({ field: shown, message: message(shown) });
  });
}

type Report = (path: string, message: (shown: string) => string) => void;

function readable(value: unknown, path: string, report: Report): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((child: unknown, index): unknown => {
      const isObject = typeof child === 'object' && child !== null;
      const field = isObject ? `${path}[${index}]` : '';
      if (!Array.isArray(child)) return readable(child, field, report);
      report(field, (shown) => `${shown} must not be a list in a list`);
      return child;
    });
  }
  const parts: [string, unknown][] = [];
  for (const [key, child] of Object.entries(value) as [string, unknown][]) {
    const field = path === '' ? shownName(key) : `${path}.${shownName(key)}`;
    if (key in Object.prototype) report(field, () => `Unknown key: ${key}`);
    else parts.push([key, readable(child, field, report)]);
  }
  return Object.fromEntries(parts);
}

import type { Failures } from '../errors/errors.js';
import { shownName } from '../text/shown-name.js';

/** Adds to the failures each key of an object that it may not have, then each that it lacks. */
export function requireKeys(
  object: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  failures: Failures,
): void {
  for (const key of Object.keys(object)) {
    if (keys.includes(key)) continue;
    failures.add(() => {
      const field = shownName(key);
      return { field, message: `Unknown key: ${field} (allowed: ${keys.join(', ')})` };
    });
  }
  for (const field of keys) {
    if (!Object.hasOwn(object, field)) failures.add(() => ({ field, message: `${field} is required` }));
  }
}

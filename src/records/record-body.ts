import type { FieldError } from '../errors/domain-error.js';
import type { Failures } from '../errors/failures.js';
import { isPlainObject } from '../text/is-plain-object.js';
import { shownName } from '../text/shown-name.js';

/**
 * Reads the body of a write (clause 2.4): an object with the one key `fields`. The service validates its
 * value against the configuration of the account (ADR 9).
 * @param failures receives every other key, and that `fields` is missing
 * @returns the value of `fields`, of any type; undefined where it is missing
 */
export function recordBody(body: unknown, failures: Failures): unknown {
  if (!isPlainObject(body)) {
    failures.add(() => ({ message: 'The body must be a JSON object with the key fields' }));
    return undefined;
  }
  for (const key of Object.keys(body)) {
    if (key !== 'fields') failures.add(() => unknownKey(key));
  }
  if (Object.hasOwn(body, 'fields')) return body['fields'];
  failures.add(() => ({ field: 'fields', message: 'fields is required' }));
  return undefined;
}

function unknownKey(key: string): FieldError {
  const name = shownName(key);
  return { field: name, message: `Unknown key: ${name} (allowed: fields)` };
}

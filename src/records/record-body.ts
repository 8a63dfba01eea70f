import type { Failures } from '../errors/errors.js';
import { isPlainObject } from '../text/is-plain-object.js';
import { requireKeys } from './closed-keys.js';

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
  requireKeys(body, ['fields'], failures);
  return Object.hasOwn(body, 'fields') ? body['fields'] : undefined;
}

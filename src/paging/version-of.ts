import { createHash } from 'node:crypto';
import { isPlainObject } from '../text/is-plain-object.js';

/**
 * Returns the version of a value of JSON, a number for an entity tag: two values have one version exactly
 * when they say the same, whatever the order of their keys.
 */
export function versionOf(value: unknown): string {
  const json = JSON.stringify(value, (_, part: unknown) => (isPlainObject(part) ? sorted(part) : part));
  return BigInt(`0x${createHash('sha256').update(json).digest('hex').slice(0, 14)}`).toString();
}

function sorted(object: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1)));
}

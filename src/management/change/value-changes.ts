import { isDeepStrictEqual } from 'node:util';
import { isPlainObject } from '../../text/is-plain-object.js';

/** One value that a change replaces. Null stands for none. */
export interface ValueChange {
  /** Keys from the object downwards: `settings.overwrite`. */
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

/**
 * Returns the values that differ between two forms of an object, compared as JSON. It looks into objects, but
 * not into lists.
 * @param before null for an object that is new
 */
export function valueChanges(before: object | null, after: object): ValueChange[] {
  return changesOf(toJson(before ?? {}), toJson(after), '');
}

type Json = Readonly<Record<string, unknown>>;

function changesOf(before: Json, after: Json, prefix: string): ValueChange[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const [from, to] = [before[key] ?? null, after[key] ?? null];
    const path = prefix + key;
    if (isPlainObject(from) && isPlainObject(to)) return changesOf(from, to, `${path}.`);
    return isDeepStrictEqual(from, to) ? [] : [{ path, from, to }];
  });
}

function toJson(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

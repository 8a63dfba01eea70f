import { isPlainObject } from '../text/is-plain-object.js';
import type { KeyValue } from './record-key.js';

/** Returns what an upsert sets: of a record that is there all but its key, of a new one the key too. */
export function upsertFields(
  fields: unknown,
  { property, value }: KeyValue,
): { readonly changed: unknown; readonly whole: unknown } {
  const changed = without(fields, property);
  return { changed, whole: isPlainObject(changed) ? { [property]: value, ...changed } : changed };
}

function without(fields: unknown, property: string): unknown {
  if (!isPlainObject(fields) || !Object.hasOwn(fields, property)) return fields;
  const { [property]: _, ...others } = fields;
  return others;
}

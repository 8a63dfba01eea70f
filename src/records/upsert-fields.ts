import { isPlainObject } from '../text/is-plain-object.js';
import type { KeyValue } from './record-key.js';

/** What an upsert sets: of a record that is there, and of a new one. */
interface UpsertFields {
  readonly changed: unknown;
  readonly whole: unknown;
}

/** Returns what an upsert sets: of a record that is there all but its key, of a new one the key too. */
export function upsertFields(
  { fields, whole }: { readonly fields: unknown; readonly whole: unknown },
  { property, value }: KeyValue,
): UpsertFields {
  const changed = without(fields, property);
  const others = whole === fields ? changed : without(whole, property);
  return { changed, whole: isPlainObject(others) ? { [property]: value, ...others } : others };
}

function without(fields: unknown, property: string): unknown {
  if (!isPlainObject(fields) || !Object.hasOwn(fields, property)) return fields;
  const { [property]: _, ...others } = fields;
  return others;
}

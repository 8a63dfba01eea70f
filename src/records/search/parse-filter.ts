import {
  parseTrigger,
  type FieldLookup,
  type KnownConditions,
  type PlacedValue,
  type TriggerResult,
} from '../../engine/index.js';
import type { ObjectType } from '../../fields/index.js';

/** Returns the name of the field that a filter or a sort means: that of `created_at` is another. */
export const fieldNamed = (name: string): string => (name === 'created_at' ? 'create_date' : name);

/** Validates a filter: a trigger in which `create_date` may have the name that it has in answers. */
export function parseFilter(
  place: PlacedValue,
  objectType: ObjectType,
  { fields, operators }: KnownConditions,
): TriggerResult {
  const lookup: FieldLookup = (type, name) => fields(type, fieldNamed(name));
  const parsed = parseTrigger(place, objectType, { fields: lookup, operators });
  if (!parsed.ok) return parsed;
  const groups = parsed.trigger.groups.map(({ conditions }) => ({
    conditions: conditions.map((condition) => ({ ...condition, field: fieldNamed(condition.field) })),
  }));
  return { ok: true, trigger: { groups } };
}

import {
  parseTrigger,
  type FieldLookup,
  type KnownConditions,
  type PlacedValue,
  type TriggerResult,
} from '../../engine/index.js';
import type { ObjectType } from '../../fields/index.js';

/** The names that answers and properties have for fields of searches. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['created_at', 'create_date'],
  ['record_id', 'id'],
]);

/** Returns the name of the field that a filter or a sort means. */
export const fieldNamed = (name: string): string => ALIASES.get(name) ?? name;

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

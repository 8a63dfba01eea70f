import type { ReturnMinutes } from '../../assignments/index.js';
import type { AccountConfiguration } from '../../configuration/index.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../../fields/index.js';

/** By owner field: the routers that set it and return turns, with their minutes. */
export type ReturningRouters = ReadonlyMap<string, ReturnMinutes>;

/**
 * Returns the routers of an account that return turns (setting `reimburse_within_minutes`), by object type.
 * Routers are not compiled for this: one that cannot be must not stop updates.
 */
export function returningRouters({
  routers,
}: AccountConfiguration): ReadonlyMap<ObjectType, ReturningRouters> {
  const found = new Map<ObjectType, Map<string, Map<string, number>>>();
  for (const { id, objectType, settings } of routers.values()) {
    const minutes = settings?.['reimburse_within_minutes'] ?? 0;
    if (typeof minutes !== 'number' || minutes <= 0) continue;
    const ownerField = ownerFieldOf(objectType, settings);
    const ofType = found.get(objectType) ?? new Map<string, Map<string, number>>();
    ofType.set(ownerField, (ofType.get(ownerField) ?? new Map<string, number>()).set(id, minutes));
    found.set(objectType, ofType);
  }
  return found;
}

/** The owner field of a router whose settings are as they are stored. */
export function ownerFieldOf(
  objectType: ObjectType,
  settings: Readonly<Record<string, unknown>> | null,
): string {
  const given = settings?.['owner_field'];
  return typeof given === 'string' ? given : OBJECT_TYPE_RULES[objectType].ownerField;
}

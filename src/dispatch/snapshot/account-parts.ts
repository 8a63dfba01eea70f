import type { ReturnMinutes } from '../../assignments/index.js';
import type { AccountConfiguration } from '../../configuration/index.js';
import type { Capacity } from '../../engine/index.js';
import type { Directory } from '../../directory/index.js';
import type { ObjectType } from '../../fields/index.js';
import type { CountedRecords } from '../../records/index.js';
import { ownerFieldOf } from '../../routers/index.js';

/** Returns the capacities of an account as the engine needs them, users and teams resolved to e-mails. */
export function resolveCapacities({
  capacities,
  directory,
  catalog,
}: AccountConfiguration): readonly Capacity[] {
  return capacities.map(({ name, objectType, field, values, users, teams }) => ({
    name,
    objectType,
    field,
    values:
      catalog.get(objectType, field)?.type === 'user'
        ? values.map((stored) => directory.names.emailOf(stored))
        : values,
    maxByEmail: maxByEmail({ users, teams }, directory),
  }));
}

/** The maximum of each user: the user's own entry, else the lowest of the user's teams. */
function maxByEmail(
  { users, teams }: Pick<AccountConfiguration['capacities'][number], 'users' | 'teams'>,
  directory: Directory,
): ReadonlyMap<string, number> {
  const most = new Map<string, number>();
  for (const { teamId, max } of teams) {
    for (const id of directory.team(teamId)?.memberIds ?? []) {
      const email = directory.user(id)?.email;
      if (email !== undefined) most.set(email, Math.min(max, most.get(email) ?? max));
    }
  }
  for (const { userId, max } of users) {
    const email = directory.user(userId)?.email;
    if (email !== undefined) most.set(email, max);
  }
  return most;
}

/**
 * What decisions count of the records that users own: all by the owner field of a router, and what
 * capacities count of these. Routers are not compiled: one that cannot be must not stop the others.
 */
export function countedRecords({ routers, capacities }: AccountConfiguration): readonly CountedRecords[] {
  const counted = new Map<string, readonly CountedRecords[]>();
  for (const { objectType, settings } of routers.values()) {
    const ownerField = ownerFieldOf(objectType, settings);
    const key = `${objectType} ${ownerField}`;
    if (counted.has(key)) continue;
    const ofType = capacities.filter((capacity) => capacity.objectType === objectType);
    const inCapacities = ofType.map(({ field, values }) => ({
      objectType,
      ownerField,
      having: { field, values },
    }));
    counted.set(key, [{ objectType, ownerField }, ...inCapacities]);
  }
  return [...counted.values()].flat();
}

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

import type { AccountConfiguration } from '../../configuration/index.js';
import type { CountedRecords } from '../../records/index.js';
import { ownerFieldOf } from './returning-routers.js';

/**
 * Returns what decisions of the account's routers count of the records that users own: all that a user owns
 * by the owner field of a router, and what capacities count of it. Routers are not compiled for this: one
 * that cannot be must not stop the others.
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

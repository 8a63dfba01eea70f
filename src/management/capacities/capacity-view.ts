import type { CapacityEntity } from '../../capacities/index.js';
import type { Directory } from '../../directory/index.js';
import { capacityForm } from '../forms/capacity-form.js';

/** A capacity as clients that manage the account see it: the keys of the configuration file, and when. */
export interface CapacityView {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** False, or the time when the capacity was archived. */
  readonly archived: false | string;
}

/** Returns the view of a capacity. @param directory with its users and teams */
export function capacityView(capacity: CapacityEntity, directory: Directory): CapacityView {
  return {
    id: capacity.id,
    ...capacityForm(capacity, directory),
    created_at: capacity.createdAt.toISOString(),
    updated_at: capacity.updatedAt.toISOString(),
    archived: capacity.archivedAt?.toISOString() ?? false,
  };
}

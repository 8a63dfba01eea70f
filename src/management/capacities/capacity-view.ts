import type { CapacityEntity } from '../../capacities/index.js';
import { capacityForm, type FormSurroundings } from '../forms/capacity-form.js';

/** A capacity as clients that manage the account see it: the keys of the configuration file, and when. */
export interface CapacityView {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** False, or the time when the capacity was archived. */
  readonly archived: false | string;
}

/** Returns the view of a capacity. @param around with its users, teams and field */
export function capacityView(capacity: CapacityEntity, around: FormSurroundings): CapacityView {
  return {
    id: capacity.id,
    ...capacityForm(capacity, around),
    created_at: capacity.createdAt.toISOString(),
    updated_at: capacity.updatedAt.toISOString(),
    archived: capacity.archivedAt?.toISOString() ?? false,
  };
}

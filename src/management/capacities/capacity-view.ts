import type { CapacityEntity } from '../../capacities/index.js';
import { managedView, type ManagedView } from '../change/managed-row.js';
import { capacityForm, type FormSurroundings } from '../forms/capacity-form.js';

/** A capacity as clients that manage the account see it: the keys of the configuration file, and when. */
export type CapacityView = ManagedView;

/** Returns the view of a capacity. @param around with its users, teams and field */
export function capacityView(capacity: CapacityEntity, around: FormSurroundings): CapacityView {
  return managedView(capacity, capacityForm(capacity, around));
}

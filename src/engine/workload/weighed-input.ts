import { normalizeEmail } from '../../text/email-key.js';
import { type Capacity, NOTHING_ASSIGNED, withOwned } from '../model/workload.js';
import type { DecisionInput, RecordInput } from '../model/decision.js';

/**
 * The input, reduced to what concerns this record: only the capacities that it counts towards, and the
 * workload of its present owner without the record itself and without assignments. So the record does not
 * count against its own owner, who needs no room in a limit to keep it.
 *
 * @param ownerField the owner field of the router
 */
export function weighedInput(input: DecisionInput, ownerField: string): DecisionInput {
  const { record, workloads, capacities } = input;
  if (workloads === undefined && capacities === undefined) return input;
  const applicable = applicableCapacities(capacities ?? [], record);
  const weighed = { ...input, capacities: applicable };
  const email = ownerOf(record, ownerField);
  const workload = workloads?.get(email);
  if (workload === undefined) return weighed;
  const without = { ...withOwned(workload, -1, applicable), assigned: NOTHING_ASSIGNED };
  return { ...weighed, workloads: new Map(workloads).set(email, without) };
}

/** The capacities that a record counts towards: those of its type that list the value of its field. */
export function applicableCapacities(
  capacities: readonly Capacity[],
  record: RecordInput,
): readonly Capacity[] {
  return capacities.filter(
    ({ objectType, field, values }) =>
      objectType === record.objectType && values.includes(record.get(field) ?? ''),
  );
}

/** The key of the owner of a record: an e-mail in lower case, empty for none. */
export function ownerOf(record: RecordInput, ownerField: string): string {
  return normalizeEmail(record.get(ownerField) ?? '');
}

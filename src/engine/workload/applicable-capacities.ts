import type { RecordInput } from '../model/decision.js';
import type { Capacity } from '../model/capacity.js';

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

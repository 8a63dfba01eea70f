import type { DecisionInput, RecordInput } from '../model/decision.js';
import { applicableCapacities } from './applicable-capacities.js';
import type { Capacity } from '../model/capacity.js';
import { NOTHING_ASSIGNED, withOwned, type Workload, type Workloads } from '../model/workload.js';
import { normalizeEmail } from '../../text/email-key.js';

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
  if (workloads === undefined) return weighed;
  const changed = new Map(workloads);
  const email = ownerOf(record, ownerField);
  changeOwned(changed, { email, by: -1 }, applicable);
  const workload = changed.get(email);
  if (workload !== undefined) changed.set(email, { ...workload, assigned: NOTHING_ASSIGNED });
  return { ...weighed, workloads: changed };
}

/** An assignment that was decided. */
export interface DecidedAssignment {
  /** The record before the assignment. */
  readonly record: RecordInput;
  /** The owner field of the router. */
  readonly ownerField: string;
  /** E-mail of the new owner. */
  readonly owner: string;
  /** No earlier than any assignment that is counted. */
  readonly at: Date;
}

/**
 * The workloads after an assignment, to decide on several records with counts that were loaded once. Users
 * who are not in the map are not counted.
 */
export function workloadsAfter(
  workloads: Workloads,
  { record, ownerField, owner, at }: DecidedAssignment,
  capacities: readonly Capacity[] = [],
): Workloads {
  const changed = new Map(workloads);
  const applicable = applicableCapacities(capacities, record);
  const before = ownerOf(record, ownerField);
  const email = normalizeEmail(owner);
  changeOwned(changed, { email: before, by: -1 }, applicable);
  changeOwned(changed, { email, by: 1 }, applicable);
  const workload = changed.get(email);
  if (workload !== undefined) {
    const newest = [at.getTime(), ...workload.assigned.newest];
    changed.set(email, { ...workload, assigned: { ...workload.assigned, newest } });
  }
  return changed;
}

/** The workloads without one assignment of a user, which was taken back. */
export function workloadsWithout(
  workloads: Workloads,
  { email, at }: { readonly email: string; readonly at: Date },
): Workloads {
  const workload = workloads.get(email);
  const index = workload?.assigned.newest.indexOf(at.getTime()) ?? -1;
  if (workload === undefined || index === -1) return workloads;
  const newest = workload.assigned.newest.toSpliced(index, 1);
  return new Map(workloads).set(email, { ...workload, assigned: { ...workload.assigned, newest } });
}

/** The workloads with these records added to the counts of their owners. */
export function workloadsWith(
  workloads: Workloads,
  records: readonly RecordInput[],
  { ownerField, capacities = [] }: { readonly ownerField: string; readonly capacities?: readonly Capacity[] },
): Workloads {
  const changed = new Map(workloads);
  for (const record of records) {
    const email = ownerOf(record, ownerField);
    changeOwned(changed, { email, by: 1 }, applicableCapacities(capacities, record));
  }
  return changed;
}

function ownerOf(record: RecordInput, ownerField: string): string {
  return normalizeEmail(record.get(ownerField) ?? '');
}

function changeOwned(
  workloads: Map<string, Workload>,
  { email, by }: { readonly email: string; readonly by: number },
  capacities: readonly Capacity[],
): void {
  const workload = workloads.get(email);
  if (workload === undefined) return;
  const names = capacities.map(({ name }) => name);
  workloads.set(email, withOwned(workload, by, names));
}

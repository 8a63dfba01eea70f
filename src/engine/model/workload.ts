import type { LimitWindows } from '../../directory/limits/limit-windows.js';
import type { LimitSpan } from '../../directory/user.js';
import type { ObjectType } from '../../fields/object-type.js';

/** How many active records of a kind a user may own (contract, section 4). */
export interface Capacity {
  /** Unique in the account. */
  readonly name: string;
  readonly objectType: ObjectType;
  /** Internal name of the field whose value decides whether a record counts. */
  readonly field: string;
  /** The values that count, in stored form. */
  readonly values: readonly string[];
  /** The most records by lower-case e-mail, whole numbers. A user who is not listed has no maximum. */
  readonly maxByEmail: ReadonlyMap<string, number>;
}

/** The assignments of a user by any router, matched and backup ones included. In milliseconds since 1970. */
export interface AssignedInstants {
  /** Newest first. Those behind the largest limit of the user may be left out. */
  readonly newest: readonly number[];
  /** The start of each of the user's windows (see `limitWindows`), which belongs to it. */
  readonly since: LimitWindows;
}

/** What one user has already. Counts are whole numbers. A count that a decision does not need may be 0. */
export interface Workload {
  readonly assigned: AssignedInstants;
  /** Active records of the router's type that the user owns through the router's owner field. */
  readonly owned: number;
  /** By name of a capacity: the owned records that have one of its values. */
  readonly capacities: ReadonlyMap<string, number>;
}

/** Workloads by lower-case e-mail. */
export type Workloads = ReadonlyMap<string, Workload>;

/** The assignments of a user who has none. */
export const NOTHING_ASSIGNED: AssignedInstants = {
  newest: [],
  since: { hour: 0, day: 0, week: 0, month: 0 },
};

const NO_WORKLOAD: Workload = { assigned: NOTHING_ASSIGNED, owned: 0, capacities: new Map() };

/** The workload of a user; empty if it is not given. */
export function workloadOf(workloads: Workloads | undefined, email: string): Workload {
  return workloads?.get(email) ?? NO_WORKLOAD;
}

/** Counts the assignments of a user in one window, by halves: a large limit has thousands. */
export function assignedIn({ newest, since }: AssignedInstants, span: LimitSpan): number {
  let [inside, outside] = [0, newest.length];
  while (inside < outside) {
    const middle = (inside + outside) >> 1;
    if ((newest[middle] ?? 0) >= since[span]) inside = middle + 1;
    else outside = middle;
  }
  return inside;
}

/** A workload with more or fewer owned records, which count towards these capacities; none below 0. */
export function withOwned(workload: Workload, change: number, capacities: readonly Capacity[]): Workload {
  const counts = new Map(workload.capacities);
  for (const { name } of capacities) counts.set(name, Math.max(0, (counts.get(name) ?? 0) + change));
  return { ...workload, owned: Math.max(0, workload.owned + change), capacities: counts };
}

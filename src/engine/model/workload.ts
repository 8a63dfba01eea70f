/** The spans that limits count in, shortest first. */
export const LIMIT_SPANS = ['hour', 'day', 'week', 'month'] as const;
export type LimitSpan = (typeof LIMIT_SPANS)[number];

/** What one user has already. Counts are whole numbers; what a decision does not need may be left at 0. */
export interface Workload {
  /** Assignments by any router in the user's windows (see `limitWindows`), matched and backup ones included. */
  readonly assigned: Readonly<Record<LimitSpan, number>>;
  /** Active records of the router's type that the user owns through the router's owner field. */
  readonly owned: number;
  /** By name of a capacity: those of the records owned that have one of its values. */
  readonly capacities: ReadonlyMap<string, number>;
}

/** Workloads by lower-case e-mail. */
export type Workloads = ReadonlyMap<string, Workload>;

/** The workload of one who has nothing, and of one whose workload was not given. */
const NO_WORKLOAD: Workload = {
  assigned: { hour: 0, day: 0, week: 0, month: 0 },
  owned: 0,
  capacities: new Map(),
};

/** A workload with more (or, below zero, fewer) records owned; no count goes below 0. */
export function withOwned(workload: Workload, change: number, capacities: readonly string[]): Workload {
  const counts = new Map(workload.capacities);
  for (const name of capacities) counts.set(name, Math.max(0, (counts.get(name) ?? 0) + change));
  return { ...workload, owned: Math.max(0, workload.owned + change), capacities: counts };
}

/** The workload of a user, as far as it is known. */
export function workloadOf(workloads: Workloads | undefined, email: string): Workload {
  return workloads?.get(email) ?? NO_WORKLOAD;
}

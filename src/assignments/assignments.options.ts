/** How the log of dispatches is kept. */
export interface AssignmentsOptions {
  /** Days after which the trace of a run is dropped; undefined keeps every one. The run itself stays. */
  readonly traceRetentionDays: number | undefined;
}

/** Injection token of AssignmentsOptions. */
export const ASSIGNMENTS_OPTIONS = Symbol('AssignmentsOptions');

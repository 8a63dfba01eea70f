import type { StoredRecord } from '../../records/index.js';
import type { RouterSnapshot } from '../snapshot/router-snapshot.js';
import { requireDispatchable } from './dispatchable.js';
import type { Loaded } from './dispatch-loader.js';
import type { DispatchPlan } from './dispatch-plan.js';
import { attempt, type Outcome } from './outcome.js';
import type { RouterRuns, RunsResult } from './router-runs.js';

/** A record that can be decided on, or the reason why it cannot. */
type Candidate = { readonly objectId: string } & (
  { readonly record: StoredRecord } | { readonly outcome: Outcome }
);

/** The first of the runs of one router: those that a transaction decides on. */
export interface ServedRuns {
  /** Undefined where there are none. */
  readonly snapshot?: RouterSnapshot;
  readonly candidates: readonly Candidate[];
  /** See RunsResult. */
  readonly alone: boolean;
}

/** Returns the runs that are locked and read, up to the first one that is not: they keep their order. */
export function servedRuns(
  { routerId, objectIds }: RouterRuns,
  { snapshots, failed }: DispatchPlan,
  { rows, routers, read, busy }: Loaded,
): ServedRuns {
  const snapshot = snapshots.get(routerId);
  if (snapshot === undefined) return { candidates: [], alone: failed.has(routerId) };
  if (!routers.has(routerId)) return { candidates: [], alone: true };
  const end = objectIds.findIndex((id) => !read.has(id));
  const candidates = (end === -1 ? objectIds : objectIds.slice(0, end)).map((objectId): Candidate => {
    const checked = attempt(() => requireDispatchable(rows.records.get(objectId), snapshot.objectType));
    return checked.ok ? { objectId, record: checked.value } : { objectId, outcome: checked };
  });
  return { snapshot, candidates, alone: busy.has(objectIds[end] ?? '') };
}

/** Returns the records of served runs that can be decided on. */
export function recordsOf({ candidates }: ServedRuns): StoredRecord[] {
  return candidates.flatMap((candidate) => ('record' in candidate ? [candidate.record] : []));
}

/** Returns what became of served runs. @param written the outcomes of their decisions by record */
export function resultOf(
  { candidates, alone }: ServedRuns,
  written: ReadonlyMap<string, Outcome>,
): RunsResult {
  const outcomes = candidates.map((candidate) => {
    const outcome = 'outcome' in candidate ? candidate.outcome : written.get(candidate.objectId);
    if (outcome === undefined) throw new Error('A record was decided on but has no result');
    return outcome;
  });
  return { outcomes, alone };
}

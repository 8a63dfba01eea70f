import type { LastAssignment, TurnToReturn } from '../../assignments/index.js';
import type { Changes, Decision, RotationState } from '../../engine/index.js';
import type { StoredRecord } from '../../records/index.js';
import type { RouterSnapshot } from '../snapshot/router-snapshot.js';

/** What one router decides on. */
export interface RouterRecords {
  readonly snapshot: RouterSnapshot;
  readonly records: readonly StoredRecord[];
  /** The state of the router's own rotation. */
  readonly rotation: RotationState;
  /** The turns that its rotations get back before they give others, in order. */
  readonly turns?: readonly TurnToReturn[];
  /** The assignments by which users hold the records, by record. */
  readonly held?: ReadonlyMap<string, LastAssignment>;
}

/** The decision of a router on one record. */
export interface Decided {
  readonly snapshot: RouterSnapshot;
  readonly record: StoredRecord;
  readonly decision: Decision;
}

/** The decisions of one transaction, in their order, and what they change besides the records. */
export interface Decisions {
  readonly decided: readonly Decided[];
  readonly changes: Changes;
}

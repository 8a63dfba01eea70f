import type { LastAssignment, TurnToReturn } from '../../assignments/index.js';
import type { Decision, RotationState } from '../../engine/index.js';
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

/** The decision on one record. */
export interface Decided {
  readonly record: StoredRecord;
  readonly decision: Decision;
}

/** An assignment that a decision takes back. */
export interface TakenBack {
  readonly assignment: LastAssignment;
  /** Whether its turn is left for the next dispatch of its router. */
  readonly owesTurn: boolean;
}

/** What the decisions of one router change besides the records. */
export interface RouterChanges {
  /** The rotations that have changed, by key. */
  readonly rotations: ReadonlyMap<string, RotationState>;
  readonly takenBack?: readonly TakenBack[];
  /** Ids of the assignments whose turns the rotations have got back. */
  readonly settled?: readonly string[];
}

/** The decisions of one router, in the order of its records. */
export interface Decisions extends RouterChanges {
  readonly snapshot: RouterSnapshot;
  readonly decided: readonly Decided[];
}

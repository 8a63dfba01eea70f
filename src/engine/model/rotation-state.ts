/** What a rotation remembers of one member. */
export interface MemberState {
  /** What the rotation owes the member, in units of 1/CREDIT_UNIT of an assignment; negative where it is ahead. */
  readonly credit: bigint;
  /** `seq` of the member's last assignment; 0 for never. */
  readonly last: number;
}

/** One rotation: its members by key. The credits sum to exactly 0. */
export type Ledger = ReadonlyMap<string, MemberState>;

/**
 * All that a router remembers between assignments. Immutable.
 *
 * Rotations have names: `users`; or `teams` and one `team:<key>` for the members of each team. A router that changes
 * its `rotation_type` leaves the other rotations where they were. The names of a rule's begin with its rotationKey,
 * `rule:<name>`, and a line break: one state may hold those of all rotation keys, or each rotationKey may have a state of its own.
 * Member keys are the user's id (the e-mail where no id is known) and `team:<id>` (the name where no id is known), so
 * that a new e-mail or name loses no turns.
 */
export interface RotationState {
  /** Assignments that moved a rotation so far. Matched owners and backup users move none. */
  readonly seq: number;
  readonly ledgers: ReadonlyMap<string, Ledger>;
}

/** The state of a router that has assigned nothing yet. */
export const EMPTY_ROTATION_STATE: RotationState = { seq: 0, ledgers: new Map() };

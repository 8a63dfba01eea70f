import type { RouterPart } from './router-configuration.js';

/** The entry of one member in a ledger. */
export interface MemberState {
  /** What the rotation owes the member, in 1/CREDIT_UNIT of an assignment; negative for too many turns. */
  readonly credit: bigint;
  /** `seq` of the member's last assignment; 0 for never. */
  readonly last: number;
}

/** The credits of the members of a pool or of a team, by the key of the member. They sum to exactly 0. */
export type Ledger = ReadonlyMap<string, MemberState>;

/**
 * The state of one rotation between assignments. Immutable.
 *
 * The ledgers have names: `users` with turns by user; `teams` and one `team:<id>` for the members of each
 * team with turns by team. A pool whose rotation type changes keeps the ledgers of the other type unchanged.
 * The key of a member is the id of the user (the e-mail where no id is known) or `team:<id>` (the name where
 * no id is known), so that a new e-mail or name loses no turns.
 */
export interface RotationState {
  /** Turns given so far. Matched owners and backup users take none. */
  readonly seq: number;
  readonly ledgers: ReadonlyMap<string, Ledger>;
}

/** The state of a rotation that has given no turn yet. */
export const EMPTY_ROTATION_STATE: RotationState = { seq: 0, ledgers: new Map() };

/** The key of the rotation of a router's own pool. */
export const ROUTER_ROTATION_KEY = '';

/** What identifies the rotation of a rule or step. */
export type PartIdentity = Pick<RouterPart, 'id' | 'name' | 'rotationKey'>;

/** The key of the rotation of a rule: the one it keeps, else `rule#<id>`, else `rule:<name>`. */
export function rotationKeyOfRule({ id, name = '', rotationKey }: PartIdentity): string {
  return rotationKey ?? (id === undefined ? `rule:${name}` : `rule#${id}`);
}

/**
 * What names the rotation of a step among those of its router or rule, whose key and a tab come before it:
 * what it keeps, else `step#<id>`, else `step:<name>`, else `step/<place>`. Ids and names contain no tab.
 * @param place from 1
 */
export function rotationOfStep({ id, name, rotationKey }: PartIdentity, place: number): string {
  if (rotationKey !== undefined) return rotationKey;
  if (id !== undefined) return `step#${id}`;
  return name === undefined ? `step/${place}` : `step:${name}`;
}

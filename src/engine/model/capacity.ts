import type { ObjectType } from '../../fields/object-type.js';
import { normalizeEmail } from '../../text/email-key.js';

/** How many active records of a kind a user may own (contract, section 4). */
export interface Capacity {
  /** Unique in the account. */
  readonly name: string;
  readonly objectType: ObjectType;
  /** Internal name of the field whose value decides whether a record counts. */
  readonly field: string;
  /** The values that count, in stored form. */
  readonly values: readonly string[];
  /**
   * The most records by lower-case e-mail, whole numbers. A user who is not listed has no maximum. See
   * `maxByEmail`.
   */
  readonly maxByEmail: ReadonlyMap<string, number>;
}

/** The users and teams that a capacity lists. */
export interface CapacityMembers {
  readonly users: readonly { readonly email: string; readonly max: number }[];
  /** Each member has the maximum of the team. */
  readonly teams: readonly { readonly members: readonly string[]; readonly max: number }[];
}

/**
 * The maximum of each user: the user's own entry, else the lowest of the user's teams. E-mails in lower case.
 */
export function maxByEmail({ users, teams }: CapacityMembers): ReadonlyMap<string, number> {
  const most = new Map<string, number>();
  for (const { members, max } of teams) {
    for (const member of members) {
      const email = normalizeEmail(member);
      most.set(email, Math.min(max, most.get(email) ?? max));
    }
  }
  for (const { email, max } of users) most.set(normalizeEmail(email), max);
  return most;
}

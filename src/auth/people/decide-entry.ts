import type { Role } from '../scope.js';

/** A member of an account. */
export interface KnownMember {
  readonly accountId: string;
  readonly memberId: string;
  readonly email: string;
}

/** A member of an account whom a person may be: by the name of the provider, or by the e-mail. */
export interface Namesake extends KnownMember {
  readonly role: Role;
  readonly byGroup: boolean;
  readonly isArchived: boolean;
  readonly lastSeenAt: Date | null;
  /** Whether the provider has named this person for the member before. */
  readonly isBound: boolean;
  /** Whether the provider has named anybody for the member. */
  readonly isNamed: boolean;
}

/** Why a person may not enter an account. */
export type Refusal = 'unknown' | 'unverified' | 'other_person' | 'archived' | 'no_role';

/** What becomes of a person who wants to enter an account. */
export type Decision =
  | { readonly does: 'enter'; readonly member: Namesake }
  | { readonly does: 'bind'; readonly member: Namesake }
  | { readonly does: 'follow'; readonly member: Namesake; readonly role: Role }
  | { readonly does: 'create'; readonly role: Role }
  | { readonly does: 'refuse'; readonly why: Refusal; readonly member?: Namesake | undefined };

/**
 * Decides whether a person whom the provider has named may enter an account (contract section 12). Who has
 * entered before is known by the name of the provider alone. For the first time it takes an e-mail that the
 * provider has verified, of a member whom nobody has been yet, or a group with a role. A role of a group
 * follows the groups; who is archived does not come back by a group.
 * @param namesakes those of the account
 * @param facts `role`: the greatest that the groups of the person have in the account
 */
export function decideEntry(
  namesakes: readonly Namesake[],
  { role, isVerified }: { readonly role: Role | undefined; readonly isVerified: boolean },
): Decision {
  const active = namesakes.filter(({ isArchived }) => !isArchived);
  const bound = active.find(({ isBound }) => isBound);
  if (bound !== undefined) {
    if (!bound.byGroup || bound.role === role) return { does: 'enter', member: bound };
    if (role === undefined) return { does: 'refuse', why: 'no_role', member: bound };
    return { does: 'follow', member: bound, role };
  }
  const [member] = active;
  if (!isVerified) {
    const why = member === undefined && role === undefined ? 'unknown' : 'unverified';
    return { does: 'refuse', why, member };
  }
  if (member !== undefined) {
    return member.isNamed ? { does: 'refuse', why: 'other_person', member } : { does: 'bind', member };
  }
  const [gone] = namesakes;
  if (gone !== undefined) return { does: 'refuse', why: 'archived', member: gone };
  return role === undefined ? { does: 'refuse', why: 'unknown' } : { does: 'create', role };
}

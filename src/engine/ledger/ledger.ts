import { CREDIT_UNIT, divideCredit, shareOut } from './credit.js';
import type { Ledger, MemberState } from '../model/rotation.js';

/** Someone in a pool, as its ledger knows them. */
export interface LedgerMember {
  readonly key: string;
  /** The share in proportion to those of the others; 0 for none. */
  readonly weight: bigint;
}

/** What a member has who had no turn. */
export const NEW_MEMBER: MemberState = { credit: 0n, last: 0 };

/**
 * Updates a ledger to the present members of the pool. Members who stay keep credit and last turn, eligible
 * or not. New members start at credit 0. The credit of members who left, of either sign, is divided equally
 * among those who stay and have a weight, so that the credits sum to exactly 0.
 *
 * @param members everyone in the pool, in the configured order
 */
export function reconcileLedger(ledger: Ledger | undefined, members: readonly LedgerMember[]): Ledger {
  const result = new Map(members.map(({ key }) => [key, ledger?.get(key) ?? NEW_MEMBER]));
  const sum = [...result.values()].reduce((total, member) => total + member.credit, 0n);
  if (sum === 0n) return result;
  const stayed = members.filter(({ key }) => ledger?.has(key));
  const weighty = stayed.filter(({ weight }) => weight > 0n);
  const heirs = weighty.length > 0 ? weighty : stayed;
  const parts = divideCredit(-sum, heirs.length);
  for (const [index, { key }] of heirs.entries()) {
    const member = result.get(key) ?? NEW_MEMBER;
    result.set(key, { ...member, credit: member.credit + (parts[index] ?? 0n) });
  }
  return result;
}

/** A turn that moves from one member of a ledger to another; null for a user who is not a member. */
export interface CreditReturn {
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * Moves one assignment between two members of a ledger: `from` is credited one assignment, `to` is charged
 * one, as if `to` had had the turn. If one of them is not a member or has no share, all members pay or
 * receive it in proportion to their shares, as if there had been no turn, or one more. The credits keep the
 * sum 0. `from` then wins every tie; `to` counts as having had the turn.
 *
 * @param members everyone in the pool, in the configured order
 * @returns the given ledger if there are no other members
 */
export function returnCredit(
  stored: Ledger,
  members: readonly LedgerMember[],
  { from, to }: CreditReturn,
): Ledger {
  const sharing = members.filter(({ weight }) => weight > 0n);
  const listed = (key: string | null) => (sharing.some((member) => member.key === key) ? key : null);
  const [giver, taker] = [listed(from), listed(to)];
  if (giver === taker) return stored;
  if ((giver === null || taker === null) && sharing.length === 1) return stored;

  const ledger = new Map(reconcileLedger(stored, members));
  const lastTurn = giver === null ? 0 : (ledger.get(giver)?.last ?? 0);
  const change = (key: string, amount: bigint, last: (before: number) => number) => {
    const before = ledger.get(key) ?? NEW_MEMBER;
    ledger.set(key, { credit: before.credit + amount, last: last(before.last) });
  };
  const spread = (sign: bigint) => {
    const shares = shareOut(sharing.map(({ weight }) => weight));
    for (const [index, { key }] of sharing.entries()) {
      change(key, sign * (shares[index] ?? 0n), (last) => last);
    }
  };
  if (giver === null) spread(1n);
  else change(giver, CREDIT_UNIT, () => 0);
  if (taker === null) spread(-1n);
  else change(taker, -CREDIT_UNIT, (last) => Math.max(last, lastTurn));
  return ledger;
}

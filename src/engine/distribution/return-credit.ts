import { CREDIT_UNIT, shareOut } from './credit.js';
import { reconcileLedger } from './reconcile-ledger.js';
import type { MemberState, Ledger } from '../model/rotation-state.js';

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
  members: readonly { readonly key: string; readonly weight: bigint }[],
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
    const before: MemberState = ledger.get(key) ?? { credit: 0n, last: 0 };
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

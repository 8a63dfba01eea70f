import { CREDIT_UNIT, shareOut } from './credit.js';
import { reconcileLedger } from './reconcile-ledger.js';
import type { MemberState, Ledger } from '../model/rotation-state.js';

/** A turn that goes from one member of a ledger to another; null for somebody who is no member. */
export interface CreditReturn {
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * Makes up for a turn that changed hands: the one who gave it up is owed one assignment again, the one who has it now is
 * charged for it. Where one of them is no member (or has no share), the other members bear or earn it in proportion to
 * their shares. Credits go on to sum to 0. The giver also wins every tie, as before that turn; the taker has had it.
 *
 * @param members everyone in the pool, in the configured order
 * @returns the ledger as it was where there is nobody to settle with
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
  const others = sharing.filter(({ key }) => key !== giver && key !== taker);
  if ((giver === null || taker === null) && others.length === 0) return stored;

  const ledger = new Map(reconcileLedger(stored, members));
  const lastTurn = giver === null ? 0 : (ledger.get(giver)?.last ?? 0);
  const change = (key: string, amount: bigint, last: (before: number) => number) => {
    const before: MemberState = ledger.get(key) ?? { credit: 0n, last: 0 };
    ledger.set(key, { credit: before.credit + amount, last: last(before.last) });
  };
  const spread = (sign: bigint) => {
    const shares = shareOut(others.map(({ weight }) => weight));
    for (const [index, { key }] of others.entries()) {
      change(key, sign * (shares[index] ?? 0n), (last) => last);
    }
  };
  if (giver === null) spread(1n);
  else change(giver, CREDIT_UNIT, () => 0);
  if (taker === null) spread(-1n);
  else change(taker, -CREDIT_UNIT, (last) => Math.max(last, lastTurn));
  return ledger;
}

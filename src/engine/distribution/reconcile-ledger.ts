import { divideCredit } from './credit.js';
import type { MemberState, Ledger } from '../model/rotation-state.js';

/**
 * Updates a ledger to the present members of the pool. Members who stay keep credit and last turn, eligible
 * or not. New members start at credit 0. The credit of members who left, of either sign, is divided equally
 * among those who stay and have a weight, so that the credits sum to exactly 0.
 *
 * @param members everyone in the pool, in the configured order
 */
export function reconcileLedger(
  ledger: Ledger | undefined,
  members: readonly { readonly key: string; readonly weight: bigint }[],
): Ledger {
  const result = new Map<string, MemberState>();
  for (const { key } of members) {
    result.set(key, ledger?.get(key) ?? { credit: 0n, last: 0 });
  }
  const sum = [...result.values()].reduce((total, member) => total + member.credit, 0n);
  if (sum === 0n) {
    return result;
  }
  const stayed = members.filter(({ key }) => ledger?.has(key));
  const weighty = stayed.filter(({ weight }) => weight > 0n);
  const heirs = weighty.length > 0 ? weighty : stayed;
  for (const [index, part] of divideCredit(-sum, heirs.length).entries()) {
    const key = heirs[index]?.key ?? '';
    const member = result.get(key) ?? { credit: 0n, last: 0 };
    result.set(key, { ...member, credit: member.credit + part });
  }
  return result;
}

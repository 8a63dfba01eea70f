import { divideCredit } from './credit.js';
import type { MemberState, Ledger } from '../model/rotation-state.js';

/**
 * Brings a ledger in line with the pool as it is configured now. Members who stay keep their credit and last turn,
 * eligible or not; those who join start at credit 0, as if they had had their fair share; what the leavers were owed (or
 * were ahead) is divided equally among those who stay and have a weight, so that the credits sum to exactly 0 again.
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

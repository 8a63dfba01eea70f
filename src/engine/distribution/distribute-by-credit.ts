import type { DistributionExplanation } from '../model/trace.js';
import { chooseByCredit } from './choose-by-credit.js';
import { CREDIT_UNIT, creditToNumber, shareOut } from './credit.js';
import type { Distribution, Turn } from './distribution-model.js';

/** More candidates than that are traced with fewer decimals. */
const MANY = 30;

/**
 * Gives the turn to the one whose turn it is by credit, and keeps the accounts: everyone eligible for this record earns
 * the share of one assignment that the weights give, the one chosen is charged the whole of it, and everyone else is
 * frozen. Credits so stay the exact difference between fair share and assignments, and sum to 0.
 */
export function distributeByCredit({ entries, ledger, seq }: Turn): Distribution {
  const shares = shareOut(entries.map((entry) => entry.weight));
  const contenders = entries.map((entry, index) => {
    const before = ledger.get(entry.key) ?? { credit: 0n, last: 0 };
    const share = shares[index] ?? 0n;
    return { entry, before, share, weight: entry.weight, credit: before.credit + share, last: before.last };
  });
  const { index: chosen, rule } = chooseByCredit(contenders);
  const winner = contenders[chosen];
  if (winner === undefined) {
    throw new RangeError('A turn needs at least one entry');
  }
  const after = new Map(ledger);
  const places = entries.length > MANY ? 4 : 6;
  const rows: DistributionExplanation['rows'][number][] = [];
  for (const contender of contenders) {
    const won = contender === winner;
    const credit = won ? contender.credit - CREDIT_UNIT : contender.credit;
    after.set(contender.entry.key, { credit, last: won ? seq : contender.last });
    const amounts = [contender.share, contender.before.credit, credit].map((amount) =>
      creditToNumber(amount, places),
    );
    rows.push([contender.entry.label, ...amounts, contender.last]);
  }
  const columns = ['candidate', 'share', 'credit', 'credit_after', 'last'];
  return { entry: winner.entry, ledger: after, explanation: { rule, columns, rows } };
}

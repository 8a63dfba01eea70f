import type { DistributionExplanation } from '../model/trace.js';
import { chooseByCredit } from './choose-by-credit.js';
import { CREDIT_UNIT, creditToNumber, shareOut } from './credit.js';
import type { Distribution, Turn } from './distribution-model.js';

/** With more candidates than this the trace has fewer decimals. */
const MANY = 30;

/**
 * Gives the turn to the entry chosen by credit and updates the ledger. Each eligible member earns the share
 * of one assignment that its weight gives, the chosen one is charged one assignment, and the credits of all
 * others stay. So a credit is always exactly the fair share minus the assignments, and the credits sum to 0.
 *
 * @throws RangeError for a turn without entries
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

import { chooseByCredit } from '../ledger/choose-by-credit.js';
import { CREDIT_UNIT, creditToNumber, shareOut } from '../ledger/credit.js';
import { NEW_MEMBER } from '../ledger/ledger.js';
import { collectIssues, type FieldIssue } from '../model/field-issue.js';
import type { RouterPool } from '../model/router-configuration.js';
import type { DistributionExplanation } from '../model/trace.js';
import type { Distribution, DistributionModel, Turn } from './distribution-model.js';
import { LOAD_BALANCED } from './load-balanced.js';

/** With more candidates than this the trace has fewer decimals. */
const MANY = 30;

/** How far the sum of percentages may be from 100: they have at most 4 decimals. */
const TOLERANCE = 1e-9;

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
    const before = ledger.get(entry.key) ?? NEW_MEMBER;
    const share = shares[index] ?? 0n;
    return { entry, before, share, weight: entry.weight, credit: before.credit + share, last: before.last };
  });
  const { index: chosen, rule } = chooseByCredit(contenders);
  const winner = contenders[chosen];
  if (winner === undefined) throw new RangeError('A turn needs at least one entry');
  const after = new Map(ledger);
  const places = entries.length > MANY ? 4 : 6;
  const rows: DistributionExplanation['rows'][number][] = [];
  for (const contender of contenders) {
    const won = contender === winner;
    const credit = won ? contender.credit - CREDIT_UNIT : contender.credit;
    after.set(contender.entry.key, { credit, last: won ? seq : contender.last });
    const amounts = [contender.share, contender.before.credit, credit];
    const numbers = amounts.map((amount) => creditToNumber(amount, places));
    rows.push([contender.entry.label, ...numbers, contender.last]);
  }
  const columns = ['candidate', 'share', 'credit', 'credit_after', 'last'];
  return { entry: winner.entry, ledger: after, explanation: { rule, columns, rows } };
}

/** `round robin`: everyone has the same share. */
export const ROUND_ROBIN: DistributionModel = {
  id: 'round robin',
  reason: 'round_robin',
  validate: () => [],
  weigh: () => 1n,
  distribute: distributeByCredit,
};

/** `percentage`: shares in proportion to the configured percentages of those who are eligible. */
const PERCENTAGE: DistributionModel = {
  id: 'percentage',
  reason: 'percentage',
  validate: percentageIssues,
  weigh: (portion) => portion,
  distribute: distributeByCredit,
};

/** Every entry needs a percentage, and the percentages must sum to 100. An empty pool is valid. */
function percentageIssues({ users, teams }: RouterPool): readonly FieldIssue[] {
  const { issues, report } = collectIssues();
  const entries = [
    ...users.map(({ percentage }, index) => ({ path: `users[${index}].percentage`, percentage })),
    ...teams.map(({ percentage }, index) => ({ path: `teams[${index}].percentage`, percentage })),
  ];
  for (const { path, percentage } of entries) {
    if (percentage === undefined) report(path, 'percentage is required by the distribution model percentage');
  }
  const sum = entries.reduce((total, { percentage }) => total + (percentage ?? 0), 0);
  if (issues.length === 0 && entries.length > 0 && Math.abs(sum - 100) > TOLERANCE) {
    const list = users.length > 0 ? 'users' : 'teams';
    report(list, `percentages must sum to 100, not ${Number(sum.toFixed(4))}`);
  }
  return issues;
}

/** The distribution models of contract section 4. */
export const BUILTIN_MODELS: readonly DistributionModel[] = [ROUND_ROBIN, PERCENTAGE, LOAD_BALANCED];

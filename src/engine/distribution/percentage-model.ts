import { collectIssues } from '../model/field-issue.js';
import type { RouterPool } from '../model/router-configuration.js';
import { distributeByCredit } from './distribute-by-credit.js';
import type { DistributionModel } from './distribution-model.js';

const TOLERANCE = 1e-9;

/**
 * `percentage`: shares in proportion to the configured percentages. An entry with 0 is never chosen. While
 * some are not eligible, the others share in proportion to their percentages.
 */
export const PERCENTAGE: DistributionModel = {
  id: 'percentage',
  reason: 'percentage',
  validate,
  weigh: (portion) => portion,
  distribute: distributeByCredit,
};

/** Every entry needs a percentage, and the percentages must sum to 100. An empty pool is valid. */
function validate({ users, teams }: RouterPool) {
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
    report(
      users.length > 0 ? 'users' : 'teams',
      `percentages must sum to 100, not ${Number(sum.toFixed(4))}`,
    );
  }
  return issues;
}

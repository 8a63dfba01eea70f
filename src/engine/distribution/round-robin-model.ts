import { distributeByCredit } from './distribute-by-credit.js';
import type { DistributionModel } from './distribution-model.js';

/** `round robin`: everyone has the same share. */
export const ROUND_ROBIN: DistributionModel = {
  id: 'round robin',
  reason: 'round_robin',
  validate: () => [],
  weigh: () => 1n,
  distribute: distributeByCredit,
};

import { shortText } from '../model/short-text.js';
import type { DistributionExplanation } from '../model/trace.js';
import type { Distribution, DistributionModel, Turn } from './distribution-model.js';
import { allHaveMaximum, compareLoads, meanOwned, utilization, type Load } from './load.js';

/**
 * `load balanced`: chooses the candidate with the lowest load.
 * - If every eligible candidate has a maximum in a capacity that the record counts towards: the lowest share
 *   of the maximum in use; of several capacities the fullest one counts.
 * - Otherwise: the fewest active records owned.
 *
 * The load of a team is what its eligible members own together of what they may own together, or the mean of
 * what they own. Ties go to the least recently assigned, then to the configured order. Credits do not change.
 */
export const LOAD_BALANCED: DistributionModel = {
  id: 'load balanced',
  reason: 'load_balanced',
  usesCredit: false,
  comparesOwned: true,
  validate: () => [],
  weigh: () => 1n,
  distribute,
};

function distribute({ entries, ledger, seq, input }: Turn): Distribution {
  const capped = entries.every(({ users }) => allHaveMaximum(users, input));
  const weighed = entries.map((entry) => {
    const member = ledger.get(entry.key) ?? { credit: 0n, last: 0 };
    const load = capped ? utilization(entry.users, input) : meanOwned(entry.users, input);
    return { entry, member, load };
  });
  const winner = weighed.reduce((best, each) => {
    const order = compareLoads(each.load, best.load) || each.member.last - best.member.last;
    return order < 0 ? each : best;
  });
  const after = new Map(ledger);
  after.set(winner.entry.key, { ...winner.member, last: seq });
  const rows = weighed.map(({ entry, member, load }) => ({
    candidate: entry.label,
    last: member.last,
    ...load,
  }));
  const rule = weighed.length === 1 ? 'only_one' : capped ? 'lowest_utilization' : 'fewest_owned';
  return { entry: winner.entry, ledger: after, explanation: { rule, ...explain(rows, capped) } };
}

/** Leaves out columns that are the same for every candidate. */
function explain(
  rows: readonly (Load & { readonly candidate: string; readonly last: number })[],
  capped: boolean,
): Pick<DistributionExplanation, 'columns' | 'rows'> {
  const several = new Set(rows.map(({ capacity }) => capacity)).size > 1;
  const shown = capped || rows.some(({ of }) => of !== 1);
  return {
    columns: [
      'candidate',
      ...(several ? ['capacity'] : []),
      'owned',
      ...(shown ? [capped ? 'max' : 'members'] : []),
      'last',
    ],
    rows: rows.map(({ candidate, capacity, owned, of, last }) => [
      candidate,
      ...(several ? [shortText(capacity ?? '', 20)] : []),
      owned,
      ...(shown ? [of] : []),
      last,
    ]),
  };
}

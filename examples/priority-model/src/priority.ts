import type { Distribution, DistributionModel, Turn } from 'fairlead';

/**
 * `priority`: the first eligible candidate in the configured order gets the record. Nobody is owed
 * anything for what the first one got, so the credits stay as they are.
 */
export const PRIORITY: DistributionModel = {
  id: 'priority',
  reason: 'priority',
  usesCredit: false,
  validate: () => [],
  weigh: () => 1n,
  distribute,
};

function distribute({ entries, ledger, seq }: Turn): Distribution {
  const [first] = entries;
  if (first === undefined) throw new RangeError('A turn needs at least one entry');
  const after = new Map(ledger);
  after.set(first.key, { credit: ledger.get(first.key)?.credit ?? 0n, last: seq });
  return {
    entry: first,
    ledger: after,
    explanation: {
      rule: entries.length === 1 ? 'only_one' : 'first_in_order',
      columns: ['candidate', 'place'],
      rows: entries.map(({ label }, index) => [label, index + 1]),
    },
  };
}

import { LEAST_ID, type Transaction } from '../../database/index.js';
import type { CountedType } from './record-counts.repository.js';
import { COUNT_PAGE } from './counters.statements.js';

/** Counters of one type of an account. */
export interface TypeCounters extends CountedType {
  readonly counters: readonly string[];
}

/** The counts of a snapshot, row by row: of which counter, of which owner, how many. */
export type Truth = readonly [
  counters: readonly string[],
  owners: readonly string[],
  counts: readonly number[],
];

/** Records that a statement counts, in less than a second. */
const PAGE = 20_000;

type Row = { counter: string; owner: string; n: number; last: null } | { counter: null; last: string };

/**
 * Counts the records of a type for counters, one page after the other.
 * @param tx a transaction of one snapshot
 * @param signal ends this, when it is aborted
 * @throws the reason of the signal
 */
export async function countTruth(
  tx: Transaction,
  { accountId, objectType, counters }: TypeCounters,
  signal?: AbortSignal,
): Promise<Truth> {
  const counts = new Map<string, Map<string, number>>(counters.map((counter) => [counter, new Map()]));
  let last: string | undefined = LEAST_ID;
  while (last !== undefined) {
    signal?.throwIfAborted();
    const rows: Row[] = await tx.query<Row>(COUNT_PAGE, [accountId, objectType, counters, last, PAGE]);
    last = undefined;
    for (const row of rows) {
      if (row.counter === null) {
        last = row.last;
        continue;
      }
      const owners = counts.get(row.counter);
      owners?.set(row.owner, (owners.get(row.owner) ?? 0) + row.n);
    }
  }
  const flat = [...counts].flatMap(([counter, owners]) =>
    [...owners].map(([owner, n]) => [counter, owner, n] as const),
  );
  return [flat.map(([counter]) => counter), flat.map(([, owner]) => owner), flat.map(([, , n]) => n)];
}

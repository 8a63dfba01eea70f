import type { KeyValue } from '../../records/index.js';
import type { KeyedRow } from '../rows/source-row.js';

/** Returns a value of a unique key as what a row touches. */
export function touchOf({ property, value }: KeyValue): string {
  return `${property} ${value}`;
}

/**
 * Divides rows into waves, of which each is compared and then written, in the order of the file. None has two
 * rows of one record: the later row sees what the earlier one has written. No row is in a wave before that of
 * an earlier row that sets, has or gives back a value of a unique key that it sets itself, or that its record
 * may have by then.
 * @param touchedBy the values of unique keys that the record of a row has
 */
export function waves(
  rows: readonly KeyedRow[],
  touchedBy: (row: KeyedRow) => readonly string[],
): KeyedRow[][] {
  const divided: KeyedRow[][] = [];
  const records = new Map<string, { readonly next: number; readonly touched: Set<string> }>();
  const last = new Map<string, number>();
  for (const row of rows) {
    const { next, touched } = records.get(row.stored.value) ?? { next: 0, touched: new Set(touchedBy(row)) };
    for (const each of row.touches) touched.add(each);
    let wave = next;
    for (const each of touched) wave = Math.max(wave, last.get(each) ?? 0);
    for (const each of touched) last.set(each, wave);
    records.set(row.stored.value, { next: wave + 1, touched });
    (divided[wave] ??= []).push(row);
  }
  return divided;
}

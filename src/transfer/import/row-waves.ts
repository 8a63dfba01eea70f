import { OBJECT_TYPE_RULES } from '../../fields/index.js';
import { keyForm, type KeyValue, type StoredRecord } from '../../records/index.js';
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
 * @param present the records of the rows, by the keys of these
 */
export function waves(rows: readonly KeyedRow[], present: ReadonlyMap<string, StoredRecord>): KeyedRow[][] {
  const divided: KeyedRow[][] = [];
  const records = new Map<string, { readonly next: number; readonly touched: Set<string> }>();
  const last = new Map<string, number>();
  for (const row of rows) {
    const { next, touched } = records.get(row.stored.value) ?? {
      next: 0,
      touched: touchedBy(present.get(row.stored.value)),
    };
    for (const each of row.touches) touched.add(each);
    let wave = next;
    for (const each of touched) wave = Math.max(wave, last.get(each) ?? 0);
    for (const each of touched) last.set(each, wave);
    records.set(row.stored.value, { next: wave + 1, touched });
    (divided[wave] ??= []).push(row);
  }
  return divided;
}

/** Returns the values of unique keys that a record has. */
function touchedBy(record: StoredRecord | undefined): Set<string> {
  if (record === undefined) return new Set();
  const { object_type: objectType, fields } = record;
  const touched = OBJECT_TYPE_RULES[objectType].uniqueKeys.flatMap((property) => {
    const value = fields[property];
    return value === undefined ? [] : [touchOf({ property, value: keyForm(objectType, property, value) })];
  });
  return new Set(touched);
}

import { OBJECT_TYPE_RULES, type FieldChanges, type ObjectType } from '../../fields/index.js';
import { keyForm, type StoredRecord } from '../../records/index.js';
import type { KeyedRow } from '../rows/source-row.js';
import { touchOf } from './row-waves.js';

/** What the records of some rows are, by the keys of the rows. A dry run adds what it would make of them. */
export class PresentRecords {
  private readonly records: Map<string, StoredRecord>;
  private readonly routed: Set<string>;

  /** @param routed ids of the records on which the router has run */
  constructor(
    private readonly objectType: ObjectType,
    records: ReadonlyMap<string, StoredRecord>,
    routed: ReadonlySet<string>,
  ) {
    this.records = new Map(records);
    this.routed = new Set([...records].flatMap(([key, { id }]) => (routed.has(id) ? [key] : [])));
  }

  /** Returns the active record that has the key of a row. */
  of({ stored }: KeyedRow): StoredRecord | undefined {
    return this.records.get(stored.value);
  }

  /** Whether the router has run on the record of a row. */
  isRouted({ stored }: KeyedRow): boolean {
    return this.routed.has(stored.value);
  }

  /** Returns the values of unique keys that the record of a row has. */
  touchedBy(row: KeyedRow): string[] {
    const record = this.of(row);
    if (record === undefined) return [];
    return OBJECT_TYPE_RULES[record.object_type].uniqueKeys.flatMap((property) => {
      const value = record.fields[property];
      return value === undefined
        ? []
        : [touchOf({ property, value: keyForm(record.object_type, property, value) })];
    });
  }

  /** Keeps what a row would make of its record, whose id is empty where it would be new. */
  imagine(row: KeyedRow, changes: FieldChanges): void {
    const before = this.of(row) ?? newRecord(this.objectType);
    const all = Object.entries({ ...before.fields, ...Object.fromEntries(changes) });
    const fields = Object.fromEntries(all.filter((each): each is [string, string] => each[1] !== null));
    this.records.set(row.stored.value, { ...before, fields });
  }

  /** Keeps that the router would have run on the record of a row. */
  imagineRouted({ stored }: KeyedRow): void {
    this.routed.add(stored.value);
  }
}

const newRecord = (objectType: ObjectType): StoredRecord => ({
  id: '',
  object_type: objectType,
  fields: {},
  archived_at: null,
  archived_by: null,
  created_at: new Date(0),
  updated_at: new Date(0),
});

import type { StoredRecord } from './stored-record.js';

/** The column that has a unique key of records: that of the type's own key, or that of `external_id`. */
export type KeyColumn = 'unique_key' | 'external_id';

/** A unique key (clause 2.8) with the value that an active record has. */
export interface KeyValue {
  /** The field, such as `email`. */
  readonly property: string;
  /** As it is stored. */
  readonly value: string;
}

/** Returns the column of a unique key of a type. */
export function keyColumn(property: string): KeyColumn {
  return property === 'external_id' ? 'external_id' : 'unique_key';
}

/** How a statement names its record: by its id alone, or also by a key that it must have. */
export interface Naming {
  readonly by: 'id' | KeyColumn;
  /** The value of the key. */
  readonly values: readonly string[];
}

/** Returns how the statement of a write names a record that has a key, if one is given. */
export function namingOf(key: KeyValue | undefined): Naming {
  return key === undefined ? { by: 'id', values: [] } : { by: keyColumn(key.property), values: [key.value] };
}

/** Whether an active record has a key, if one is given. */
export function hasKey({ fields, archived_at }: StoredRecord, key: KeyValue | undefined): boolean {
  return key === undefined || (archived_at === null && fields[key.property] === key.value);
}

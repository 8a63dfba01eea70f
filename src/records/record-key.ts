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

import { isId } from '../database/index.js';
import { emailKey } from '../text/email-key.js';
import { OBJECT_TYPE_RULES, type FieldChanges, type ObjectType } from '../fields/index.js';

/** The records of one type of an account. */
export interface RecordType {
  readonly accountId: string;
  readonly objectType: ObjectType;
}

/** One record of an account. */
export interface RecordKey {
  readonly objectType: ObjectType;
  readonly id: string;
}

/** The column that has a unique key of records: that of the type's own key, or that of `external_id`. */
export type KeyColumn = 'unique_key' | 'external_id';

/** A unique key (clause 2.8) with the value that an active record has. */
export interface KeyValue {
  /** The field, such as `email`. */
  readonly property: string;
  /** As it is compared, see `keyForm`. */
  readonly value: string;
}

/** Records of one type as a statement names them: by their ids, or active ones by a unique key. */
export interface NamedBy {
  readonly objectType: ObjectType;
  readonly by: 'id' | KeyColumn;
}

/** One such record. */
export interface RecordName extends NamedBy {
  /** The id, or the key as it is compared. */
  readonly name: string;
}

/** Returns the column of a unique key of a type. */
export function keyColumn(property: string): KeyColumn {
  return property === 'external_id' ? 'external_id' : 'unique_key';
}

/** Returns the column by which a property names records; undefined stands for the id. */
export function namedBy(property: string | undefined): NamedBy['by'] {
  return property === undefined || property === 'id' ? 'id' : keyColumn(property);
}

/** Returns how statements name a record by its id, in any case; undefined for what no record can have. */
export function idName({
  objectType,
  id,
}: Pick<RecordName, 'objectType'> & { readonly id: string }): RecordName | undefined {
  return isId(id) ? { objectType, by: 'id', name: id.toLowerCase() } : undefined;
}

/** Returns the unique key that the object type has beside the external id. */
export function typeKeyField(objectType: ObjectType): string | null {
  return OBJECT_TYPE_RULES[objectType].uniqueKeys.find((key) => key !== 'external_id') ?? null;
}

/** Returns the form in which a stored value of a unique key is compared: two e-mails can be one key. */
export function keyForm(objectType: ObjectType, property: string, value: string): string {
  return objectType === 'contacts' && property === 'email' ? emailKey(value) : value;
}

/** Returns the values of the two columns of keys that a write sets. */
export function keysIn(
  objectType: ObjectType,
  changes: FieldChanges,
): Readonly<Record<KeyColumn, string | null>> {
  const own = typeKeyField(objectType);
  const value = own === null ? null : (changes.get(own) ?? null);
  return {
    unique_key: own === null || value === null ? null : keyForm(objectType, own, value),
    external_id: changes.get('external_id') ?? null,
  };
}

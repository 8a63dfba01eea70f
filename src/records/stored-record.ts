import type { StoredNames } from '../directory/index.js';
import { isSystemProperty, type ObjectType, type SystemProperty } from '../fields/index.js';

/** A record as the database returns it. Its user fields have stored names (ADR 24). */
export interface StoredRecord {
  readonly id: string;
  readonly object_type: ObjectType;
  /** Stored values by internal name; cleared fields are absent. */
  readonly fields: Readonly<Record<string, string>>;
  readonly archived_at: Date | null;
  readonly archived_by: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** Greater after each change; absent where it is not read. */
  readonly version?: string;
}

const SYSTEM_VALUES: Readonly<Record<SystemProperty, (record: StoredRecord) => string>> = {
  record_id: ({ id }) => id,
  create_date: ({ created_at }) => created_at.toISOString(),
  last_modified_date: ({ updated_at }) => updated_at.toISOString(),
};

/** The stored value of a field, system-managed ones too (clause 2.5); undefined for an empty one. */
export function valueOf(record: StoredRecord, name: string): string | undefined {
  if (isSystemProperty(name)) return SYSTEM_VALUES[name](record);
  // Only own properties count, because a custom field may be called "constructor".
  return Object.hasOwn(record.fields, name) ? record.fields[name] : undefined;
}

/** Returns a record with the e-mails of users in its user fields. @param userFields names of these */
export function shownRecord(
  record: StoredRecord,
  names: StoredNames,
  userFields: Iterable<string>,
): StoredRecord {
  return names.isEmpty ? record : { ...record, fields: names.shown(record.fields, userFields) };
}

import { conflict, invalidField, notFound } from '../../errors/errors.js';
import type { ObjectType } from '../../fields/index.js';

/** A record that a router runs on. */
export interface StoredRecord {
  readonly id: string;
  readonly object_type: ObjectType;
  readonly fields: Readonly<Record<string, string>>;
  readonly archived_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A value as triggers see it: stored values, and the dates the service manages. */
export function valueOf(record: StoredRecord, name: string): string | undefined {
  if (name === 'create_date') return record.created_at.toISOString();
  if (name === 'last_modified_date') return record.updated_at.toISOString();
  return Object.hasOwn(record.fields, name) ? record.fields[name] : undefined;
}

/** @throws 404 for no record, 400 for one of another type than the router's, 409 for an archived one */
export function requireDispatchable(record: StoredRecord | undefined, objectType: ObjectType): StoredRecord {
  if (record === undefined) throw notFound('Object not found');
  if (record.object_type !== objectType) {
    throw invalidField(
      'object_id',
      `This router is for ${objectType}; the object is one of ${record.object_type}`,
    );
  }
  if (record.archived_at !== null) throw conflict('The object is archived and cannot be assigned');
  return record;
}

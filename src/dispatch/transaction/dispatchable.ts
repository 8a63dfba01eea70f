import { archived, invalidField, notFound } from '../../errors/errors.js';
import type { ObjectType } from '../../fields/index.js';
import type { StoredRecord } from '../../records/index.js';

/**
 * Checks that a router may run on a record.
 * @throws DomainError 404 for no record, 400 for a record of another type than the router's, 409 for an
 *   archived record
 */
export function requireDispatchable(record: StoredRecord | undefined, objectType: ObjectType): StoredRecord {
  if (record === undefined) throw notFound('Object not found');
  if (record.object_type !== objectType) {
    throw invalidField(
      'object_id',
      `This router is for ${objectType}; the object is one of ${record.object_type}`,
    );
  }
  if (record.archived_at !== null) throw archived('The object is archived and cannot be assigned');
  return record;
}

import type { StoredRecord } from '../../src/records/record-view.js';

/** An active contact as the database gives it. */
export function storedContact(
  id: string,
  fields: Readonly<Record<string, string>> = {},
  more: Partial<StoredRecord> = {},
): StoredRecord {
  return {
    id,
    object_type: 'contacts',
    fields,
    archived_at: null,
    archived_by: null,
    created_at: new Date('2026-01-01T00:00:00Z'),
    updated_at: new Date('2026-02-02T00:00:00Z'),
    ...more,
  };
}

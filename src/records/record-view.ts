import { OBJECT_TYPE_RULES } from '../fields/index.js';
import { valueOf, type StoredRecord } from './stored-record.js';

/** A record as clients see it: flat, values as stored strings, null where empty (clause 2.2). */
export type RecordView = Readonly<Record<string, string | null | false>>;

/**
 * Returns the flat object of a record: the type's default fields, then the extra properties, then state and
 * times.
 * @param extras names that FieldCatalog.resolveProperties has allowed.
 */
export function recordView(record: StoredRecord, extras: readonly string[] = []): RecordView {
  const view = new Map<string, string | null | false>([['id', record.id]]);
  for (const name of OBJECT_TYPE_RULES[record.object_type].defaultFields) {
    view.set(name, record.fields[name] ?? null);
  }
  for (const name of extras) view.set(name, valueOf(record, name) ?? null);
  view.set('created_at', record.created_at.toISOString());
  view.set('updated_at', record.updated_at.toISOString());
  view.set('archived', record.archived_at?.toISOString() ?? false);
  if (record.archived_at !== null) view.set('archived_by', record.archived_by);
  return Object.fromEntries(view);
}

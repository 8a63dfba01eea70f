import { OBJECT_TYPE_RULES, type ObjectType } from '../fields/index.js';
import type { RecordRow } from './record-row.js';

/** A record as clients see it: flat, values as stored strings, null where empty (clause 2.2). */
export type RecordView = Readonly<Record<string, string | null | false>>;

/**
 * The flat object of a record: the type's default fields, then the extra properties, then state and times.
 * @param extras names that FieldCatalog.resolveProperties has allowed.
 */
export function recordView(
  objectType: ObjectType,
  row: RecordRow,
  extras: readonly string[] = [],
): RecordView {
  const view = new Map<string, string | null | false>([['id', row.id]]);
  for (const name of OBJECT_TYPE_RULES[objectType].defaultFields) view.set(name, row.fields[name] ?? null);
  for (const name of extras) view.set(name, property(row, name));
  view.set('created_at', row.created_at.toISOString());
  view.set('updated_at', row.updated_at.toISOString());
  view.set('archived', row.archived_at?.toISOString() ?? false);
  if (row.archived_at !== null) view.set('archived_by', row.archived_by);
  return Object.fromEntries(view);
}

function property(row: RecordRow, name: string): string | null {
  switch (name) {
    case 'record_id':
      return row.id;
    case 'create_date':
      return row.created_at.toISOString();
    case 'last_modified_date':
      return row.updated_at.toISOString();
    default:
      // Own properties only: a custom field may be called "constructor".
      return Object.hasOwn(row.fields, name) ? (row.fields[name] ?? null) : null;
  }
}

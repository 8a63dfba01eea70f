import type { AuditEntryEntity } from '../change/audit-entry.entity.js';
import type { ValueChange } from '../change/value-changes.js';

/** A change of the configuration, as clients see it (contract section 6). */
export interface AuditView {
  readonly id: string;
  readonly at: string;
  readonly by: { readonly kind: string; readonly id: string | null; readonly name: string };
  readonly action: string;
  readonly object: { readonly kind: string; readonly id: string; readonly name: string };
  readonly changes: readonly ValueChange[];
  readonly request_id: string | null;
}

/** Returns the view of an entry. */
export function auditView(entry: AuditEntryEntity): AuditView {
  return {
    id: entry.id,
    at: entry.at.toISOString(),
    by: { kind: entry.byKind, id: entry.byId, name: entry.byName },
    action: entry.action,
    object: { kind: entry.objectKind, id: entry.objectId, name: entry.objectName },
    // The column does not keep the order of keys.
    changes: entry.changes.map(({ path, from, to }) => ({ path, from, to })),
    request_id: entry.requestId,
  };
}

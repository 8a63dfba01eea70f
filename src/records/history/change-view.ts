import type { StoredNames } from '../../directory/index.js';
import type { ChangeRow } from './record-history.repository.js';

/** A change of one field of a record, as clients see it (contract section 7). */
export interface ChangeView {
  readonly field: string;
  /** The value before; null for none. Only `archived` has booleans. */
  readonly from: string | boolean | null;
  readonly to: string | boolean | null;
  readonly at: string;
  readonly by: { readonly kind: string; readonly id: string | null; readonly name: string | null };
  readonly assignment_id: string | null;
  readonly request_id: string | null;
}

/** Returns the view of a change. @param names of users, for a change of a user field */
export function changeView(row: ChangeRow, names: StoredNames | undefined): ChangeView {
  const shown = (value: string | boolean | null): string | boolean | null =>
    names !== undefined && typeof value === 'string' ? names.emailOf(value) : value;
  return {
    field: row.field,
    from: shown(row.from),
    to: shown(row.to),
    at: row.at.toISOString(),
    by: { kind: row.by_kind, id: row.by_id, name: row.by_name },
    assignment_id: row.assignment_id,
    request_id: row.request_id,
  };
}

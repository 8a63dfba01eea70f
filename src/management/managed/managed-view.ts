import { versionOf } from '../../paging/index.js';
import type { ManagedRow } from './managed.repository.js';

/** What every view has beside its form. */
export interface ManagedView {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** False, or the time when it was archived. */
  readonly archived: false | string;
}

/** Returns the view of a row: its id, its form, and when it was made, changed and archived. */
export function managedView(row: ManagedRow, form: object): ManagedView {
  return {
    id: row.id,
    ...form,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    archived: row.archivedAt?.toISOString() ?? false,
  };
}

/**
 * Returns the version of a view for its entity tag, that of the same view without what is shown once;
 * undefined for one of a dry run, which nobody can read.
 */
export function viewVersion(view: object): string | undefined {
  const { client_id: _, client_secret: __, changes, ...rest } = view as Readonly<Record<string, unknown>>;
  return changes === undefined ? versionOf(rest) : undefined;
}

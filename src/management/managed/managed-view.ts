import { archived, preconditionFailed } from '../../errors/errors.js';
import { versionOf } from '../../paging/index.js';
import { objectNotFound } from './managed.errors.js';
import type { AnyKind } from './managed-kind.js';
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

/** What the audit compares of an object: its form, and whether it is archived. */
export function archivableState(form: object, { archivedAt }: Pick<ManagedRow, 'archivedAt'>): object {
  return archivedAt === null ? form : { ...form, archived: true };
}

/**
 * Returns the version of a view for its entity tag, that of the same view without what is shown once;
 * undefined for one of a dry run, which nobody can read.
 */
export function viewVersion(view: object): string | undefined {
  const { client_id: _, client_secret: __, changes, ...rest } = view as Readonly<Record<string, unknown>>;
  return changes === undefined ? versionOf(rest) : undefined;
}

/** @throws 409 for an archived row, which cannot be changed. It says how the row becomes active again. */
export function requireActive({ kind, unique, revives, gone }: AnyKind, { archivedAt }: ManagedRow): void {
  if (archivedAt === null) return;
  const way =
    unique === undefined || !revives ? '' : `: a POST /${kind}s with its ${unique} makes it active again`;
  throw archived(`This ${kind} is ${gone} and cannot be changed${way}`);
}

/** @throws 404 for an archived row, which cannot be archived again */
export function requirePresent({ kind }: AnyKind, { archivedAt }: ManagedRow): void {
  if (archivedAt !== null) throw objectNotFound(kind);
}

/**
 * @param version that of the object now, for its entity tag
 * @param versions of which it must be one; any unless given
 * @throws 412 where it is none of them
 */
export function requireCurrent(
  { kind }: Pick<AnyKind, 'kind'>,
  version: string | undefined,
  versions: readonly string[] | undefined,
): void {
  if (versions === undefined || versions.includes(version ?? '')) return;
  throw preconditionFailed(`The ${kind} is no longer as If-Match says`);
}

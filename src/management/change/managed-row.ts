import { isId } from '../../database/index.js';
import { archived, notFound } from '../../errors/errors.js';
import { capitalized } from '../../text/capitalized.js';
import type { ChangedObject } from './planned-change.js';

type Kind = ChangedObject['kind'];

/** When a row of what is managed was archived; null for an active one. */
interface Archivable {
  readonly archivedAt: Date | null;
}

/**
 * Returns the row that the id in a path names, archived or not.
 * @param find looks for it in one account
 * @throws 404 where there is none, or the text is no id
 */
export async function foundRow<Row>(
  kind: Kind,
  id: string,
  find: (id: string) => Promise<Row | null>,
): Promise<Row> {
  const row = isId(id) ? await find(id) : null;
  if (row === null) throw unknown(kind);
  return row;
}

/** What a POST to the collection makes active again, by the key that says which. */
const KEYS: Partial<Readonly<Record<Kind, string>>> = {
  user: 'email',
  team: 'name',
  field: 'internal_name',
};

/** @throws 409 for an archived row, which cannot be changed. It says how the row becomes active again. */
export function requireChangeable(kind: Kind, { archivedAt }: Archivable): void {
  if (archivedAt === null) return;
  const key = KEYS[kind];
  const way = key === undefined ? '' : `: a POST /${kind}s with its ${key} makes it active again`;
  throw archived(`This ${kind} is archived and cannot be changed${way}`);
}

/** @throws 404 for an archived row, which cannot be archived again */
export function requireArchivable(kind: Kind, { archivedAt }: Archivable): void {
  if (archivedAt !== null) throw unknown(kind);
}

function unknown(kind: Kind): Error {
  return notFound(`${capitalized(kind)} not found`);
}

/** What the audit compares of an object: its form, and whether it is archived. */
export function archivableState(form: object, { archivedAt = null }: { archivedAt?: Date | null }): object {
  return archivedAt === null ? form : { ...form, archived: true };
}

/** What every view of something managed has beside its form. */
export interface ManagedView {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** False, or the time when it was archived. */
  readonly archived: false | string;
}

/** Returns the view of a row: its id, its form, and when it was made, changed and archived. */
export function managedView<Form extends object>(
  row: Archivable & { readonly id: string; readonly createdAt: Date; readonly updatedAt: Date },
  form: Form,
): ManagedView & Form {
  return {
    id: row.id,
    ...form,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    archived: row.archivedAt?.toISOString() ?? false,
  };
}

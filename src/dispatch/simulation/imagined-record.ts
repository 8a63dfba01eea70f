import { newId } from '../../database/index.js';
import { invalid } from '../../errors/errors.js';
import { validateFields, type FieldTypeRegistry } from '../../fields/index.js';
import type { StoredRecord } from '../../records/index.js';
import type { RouterSnapshot } from '../snapshot/router-snapshot.js';

/**
 * Returns a record that does not exist, of the router's type, for simulations. Fields that a create requires
 * may be missing.
 * @param fields as in a create
 * @throws DomainError 400 listing every failing field
 */
export function imaginedRecord(
  { objectType, catalog, directory }: RouterSnapshot,
  fields: unknown,
  { types, at }: { readonly types: FieldTypeRegistry; readonly at: Date },
): StoredRecord {
  const environment = { findUser: (idOrEmail: string) => directory.findUser(idOrEmail) };
  const result = validateFields(fields, { mode: 'update', objectType }, { catalog, types, environment });
  if (!result.ok) throw invalid(result.errors);
  const values = [...result.changes].filter((change): change is [string, string] => change[1] !== null);
  return {
    id: newId(),
    object_type: objectType,
    fields: Object.fromEntries(values),
    archived_at: null,
    archived_by: null,
    created_at: at,
    updated_at: at,
  };
}

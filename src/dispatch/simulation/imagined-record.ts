import type { AccountConfiguration } from '../../configuration/index.js';
import { newId } from '../../database/index.js';
import { invalid } from '../../errors/errors.js';
import { validateFields, type FieldTypeRegistry, type ObjectType } from '../../fields/index.js';
import type { StoredRecord } from '../decision/stored-record.js';

/**
 * A record that does not exist, for simulations. What a create would require may be missing.
 * @throws 400 listing every failing field
 */
export function imaginedRecord(
  { catalog, directory }: AccountConfiguration,
  types: FieldTypeRegistry,
  objectType: ObjectType,
  fields: unknown,
  at: Date,
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
    created_at: at,
    updated_at: at,
  };
}

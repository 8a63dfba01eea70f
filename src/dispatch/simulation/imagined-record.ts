import { newId } from '../../database/index.js';
import { invalid } from '../../errors/errors.js';
import { validateFields, type FieldEnvironment, type FieldTypeRegistry } from '../../fields/index.js';
import type { StoredRecord } from '../../records/index.js';
import type { RouterSnapshot } from '../snapshot/router-snapshots.js';

/** How fields are read. */
interface Reading {
  readonly types: FieldTypeRegistry;
  /** Finds the records that references name: see ReferenceResolver. */
  readonly findRecord: NonNullable<FieldEnvironment['findRecord']>;
}

/** The parts of a snapshot that the fields of a record are validated against. */
type Fields = Pick<RouterSnapshot, 'objectType' | 'catalog' | 'directory'>;

/**
 * Returns a record that does not exist, of the router's type, for simulations. Fields that a create requires
 * may be missing.
 * @param fields as in a create
 * @throws DomainError 400 listing every failing field
 */
export function imaginedRecord(
  { objectType, catalog, directory }: Fields,
  fields: unknown,
  { at, ...reading }: Reading & { readonly at: Date },
): StoredRecord {
  const result = validateImagined({ objectType, catalog, directory }, fields, reading);
  if (!result.ok) throw invalid(result.errors, { code: 'invalid_fields' });
  const changes = directory.names.stored(result.changes, catalog.userFieldNames(objectType));
  const values = [...changes].filter((change): change is [string, string] => change[1] !== null);
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

/** Validates the fields of a record that does not exist. */
export function validateImagined(
  { objectType, catalog, directory }: Fields,
  fields: unknown,
  { types, findRecord }: Reading,
): ReturnType<typeof validateFields> {
  const environment = { findUser: (idOrEmail: string) => directory.findUser(idOrEmail), findRecord };
  return validateFields(fields, { mode: 'update', objectType }, { catalog, types, environment });
}

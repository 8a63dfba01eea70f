import type { Directory } from '../directory/index.js';
import type { FieldLookup } from '../engine/index.js';
import type { FieldCatalog, FieldTypeRegistry } from '../fields/index.js';
import { emailKey } from '../text/email-key.js';

/** Returns the fields of an account for triggers, with the dates that the service manages. */
export function fieldLookup(
  catalog: FieldCatalog,
  types: FieldTypeRegistry,
  directory: Directory,
): FieldLookup {
  const environment = { findUser: (idOrEmail: string) => directory.findUser(idOrEmail) };
  return (objectType, name) => {
    const definition = catalog.get(objectType, name) ?? catalog.managedDate(objectType, name);
    const type = definition === undefined ? undefined : types.get(definition.type);
    if (definition === undefined || type === undefined) return undefined;
    return {
      definition,
      parse: (value) => type.parse(value, definition, environment),
      comparisonKey: (stored) => type.comparisonKey?.(stored),
      keyForm: definition.standard && definition.internalName === 'email' ? emailKey : undefined,
    };
  };
}

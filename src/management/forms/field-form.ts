import type { FieldDefinition } from '../../fields/index.js';

/** Returns a field as the configuration file spells it. */
export function fieldForm(field: FieldDefinition): object {
  return {
    object_type: field.objectType,
    internal_name: field.internalName,
    label: field.label,
    type: field.type,
    ...(field.long === true ? { long: true } : {}),
    ...(field.indexed === true ? { indexed: true } : {}),
    ...(field.type === 'reference' && field.target ? { target_object_type: field.target } : {}),
    ...(field.type === 'enumeration'
      ? { options: field.options.map(({ internalName, label }) => ({ internal_name: internalName, label })) }
      : {}),
  };
}

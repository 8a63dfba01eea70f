import type { FieldDefinitionEntity } from '../../fields/index.js';
import { managedView, type ManagedView } from '../change/managed-row.js';

/** A field as clients see it: the keys of the configuration file, and when. */
export interface FieldView extends ManagedView {
  readonly object_type: string;
  readonly internal_name: string;
  readonly label: string;
  readonly type: string;
  /** Whether every account has it. */
  readonly standard: boolean;
  readonly long: boolean;
  /** Whether searches have an index of it, or will have when it is built. */
  readonly indexed: boolean;
  /** Only of type `reference`: the object type of the records that it names. */
  readonly target_object_type?: string;
  /** Empty unless the type is `enumeration`. */
  readonly options: readonly { readonly internal_name: string; readonly label: string }[];
}

/** Returns the view of a field. */
export function fieldView(field: FieldDefinitionEntity): FieldView {
  return managedView(field, {
    object_type: field.objectType,
    internal_name: field.internalName,
    label: field.label,
    type: field.type,
    standard: field.standard,
    long: field.long,
    indexed: field.indexed,
    ...(field.target === null ? {} : { target_object_type: field.target }),
    options: field.options.map(({ internalName, label }) => ({ internal_name: internalName, label })),
  });
}

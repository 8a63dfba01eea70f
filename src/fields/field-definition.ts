import type { ObjectType } from './object-type.js';

/** One allowed value of an enumeration field. Records store `internalName`; the label is for display. */
export interface FieldOption {
  readonly internalName: string;
  readonly label: string;
}

/** A field of an object type in one account: a standard field or a custom one. */
export interface FieldDefinition {
  readonly objectType: ObjectType;
  /** The key of the field in request and response bodies: lower snake case. */
  readonly internalName: string;
  readonly label: string;
  /**
   * Id of a registered field type: `string`, `number`, `bool`, `datetime`, `enumeration`, `user`, or an
   * extension's; or `reference`.
   */
  readonly type: string;
  /** Allowed values, in display order; empty unless the type is `enumeration`. */
  readonly options: readonly FieldOption[];
  /** True for a field that every account starts with. */
  readonly standard: boolean;
  /**
   * True for a custom text field that takes longer texts than others, and does not count towards the size of
   * the record. Default false.
   */
  readonly long?: boolean;
  /** Whether searches have an index of the field. Default false. */
  readonly indexed?: boolean;
  /** The object type of the records that a field of type `reference` names. Others have none. */
  readonly target?: ObjectType | null;
}

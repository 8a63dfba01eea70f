import type { FieldDefinition } from '../../fields/field-definition.js';
import type { ObjectType } from '../../fields/object-type.js';
import type { ComparisonKey, ParseResult } from '../../fields/types/field-type.js';

/** A field as conditions see it: its definition, and its type's way of reading and comparing values. */
export interface FieldHandle {
  readonly definition: FieldDefinition;
  /** Turns an operand into the form in which records store values. */
  readonly parse: (value: unknown) => ParseResult;
  /** The key by which the type compares a stored value; undefined for text. See `FieldType.comparisonKey`. */
  readonly comparisonKey: (stored: string) => ComparisonKey | undefined;
}

/** Finds a field, system-managed ones included, of an object type by its internal name. */
export type FieldLookup = (objectType: ObjectType, name: string) => FieldHandle | undefined;

import type { FieldDefinition } from '../../fields/field-definition.js';
import type { ObjectType } from '../../fields/object-type.js';
import type { ComparisonKey, ParseResult } from '../../fields/types/field-type.js';

/** A field as conditions use it: the definition, and how its type reads and compares values. */
export interface FieldHandle {
  readonly definition: FieldDefinition;
  /** Converts an operand to the stored form of a value, or refuses it. */
  readonly parse: (value: unknown) => ParseResult;
  /**
   * The key by which the type compares a stored value; undefined to compare as text. See
   * `FieldType.comparisonKey`.
   */
  readonly comparisonKey: (stored: string) => ComparisonKey | undefined;
}

/** Finds a field of an object type by its internal name, system-managed fields included. */
export type FieldLookup = (objectType: ObjectType, name: string) => FieldHandle | undefined;

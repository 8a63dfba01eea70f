import type { FieldDefinition } from '../../fields/field-definition.js';
import type { ObjectType } from '../../fields/object-type.js';

/** A field as conditions see it: its definition, and its type's way of reading and ordering values. */
export interface FieldHandle {
  readonly definition: FieldDefinition;
  /** Turns an operand into the form in which records store values. */
  readonly parse: (value: unknown) => { ok: true; value: string } | { ok: false; message: string };
  /** Orders two stored values: negative, zero or positive. */
  readonly compare: (left: string, right: string) => number;
}

/** Finds a field, system-managed ones included, of an object type by its internal name. */
export type FieldLookup = (objectType: ObjectType, name: string) => FieldHandle | undefined;

import type { FieldType } from './field-type.js';

/** Injection token of the array of field types. An extension provides the built-in ones and its own. */
export const FIELD_TYPES = Symbol('FieldTypes');

/** The built-in field types and those of extensions, by id. */
export class FieldTypeRegistry {
  private readonly byId = new Map<string, FieldType>();

  /** @throws Error when two types have the same id */
  constructor(types: readonly FieldType[]) {
    for (const type of types) {
      if (this.byId.has(type.id)) throw new Error(`Two field types have the id "${type.id}"`);
      this.byId.set(type.id, type);
    }
  }

  /** The type of that id; undefined when none is registered. */
  get(id: string): FieldType | undefined {
    return this.byId.get(id);
  }

  /** The ids in order of registration: the types that a custom field may have. */
  ids(): readonly string[] {
    return [...this.byId.keys()];
  }
}

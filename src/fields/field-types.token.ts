/** Injection token of the array of field types. An extension provides the built-in ones and its own. */
export const FIELD_TYPES = Symbol('FieldTypes');

import { BoolFieldType } from './bool-field-type.js';
import { DatetimeFieldType } from './datetime-field-type.js';
import { EnumerationFieldType } from './enumeration-field-type.js';
import type { FieldType } from './field-type.js';
import { NumberFieldType } from './number-field-type.js';
import { ReferenceFieldType } from './reference-field-type.js';
import { StringFieldType } from './string-field-type.js';
import { UserFieldType } from './user-field-type.js';

/** The field types of clause 2.6, in its order, and references (contract section 7). */
export const BUILT_IN_FIELD_TYPES: readonly FieldType[] = [
  new StringFieldType(),
  new NumberFieldType(),
  new BoolFieldType(),
  new DatetimeFieldType(),
  new EnumerationFieldType(),
  new UserFieldType(),
  new ReferenceFieldType(),
];

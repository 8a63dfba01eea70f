import type { FieldDefinition } from '../field-definition.js';
import type { FieldType, ParseResult } from './field-type.js';

/**
 * Boolean (clause 2.6): exactly true, false, 'true' or 'false'; stored as 'true' or 'false'. false is ordered
 * before true.
 */
export class BoolFieldType implements FieldType {
  readonly id = 'bool';

  parse(value: unknown, field: FieldDefinition): ParseResult {
    if (value === true || value === 'true') return { ok: true, value: 'true' };
    if (value === false || value === 'false') return { ok: true, value: 'false' };
    return { ok: false, message: `${field.internalName} must be true, false, "true" or "false"` };
  }
}

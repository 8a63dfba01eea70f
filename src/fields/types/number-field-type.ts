import type { FieldDefinition } from '../field-definition.js';
import type { FieldType, ParseResult } from './field-type.js';

/**
 * Numbers (clause 2.6): a finite JSON number, or the very decimal string that is stored and returned for one, so that
 * what was read can be written back. Stored as JavaScript prints it: `5`, `1.5`, `1e+21`; -0 as `0`.
 */
export class NumberFieldType implements FieldType {
  readonly id = 'number';

  parse(value: unknown, field: FieldDefinition): ParseResult {
    if (typeof value === 'number' && Number.isFinite(value)) return { ok: true, value: String(value) };
    if (typeof value === 'string' && isStoredNumber(value)) return { ok: true, value };
    const name = field.internalName;
    const message = `${name} must be a finite number: a JSON number, or a plain decimal string such as "5" or "1.5"`;
    return { ok: false, message };
  }

  /** A value that is no number, stored by a type that the field had before, is compared as text. */
  comparisonKey(stored: string): number | undefined {
    return isStoredNumber(stored) ? Number(stored) : undefined;
  }
}

function isStoredNumber(text: string): boolean {
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text;
}

import type { FieldDefinition } from '../field-definition.js';
import { compareText } from './compare-text.js';
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

  /** Values that are no numbers (stored by a type the field had before) are ordered as text. */
  compare(left: string, right: string): number {
    if (!isStoredNumber(left) || !isStoredNumber(right)) return compareText(left, right);
    return Math.sign(Number(left) - Number(right));
  }
}

function isStoredNumber(text: string): boolean {
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text;
}

import type { FieldDefinition } from '../field-definition.js';
import type { FieldType, ParseResult } from './field-type.js';

/**
 * Numbers (clause 2.6): a finite JSON number, or the decimal string that the service stores and returns for a
 * number, so that a value that was read can be written back. Stored as JavaScript prints it: `5`, `1.5`,
 * `1e+21`; -0 as `0`.
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

  /**
   * The number; undefined for a value that is no number, which an earlier type of the field may have stored.
   */
  comparisonKey(stored: string): number | undefined {
    return isStoredNumber(stored) ? Number(stored) : undefined;
  }
}

function isStoredNumber(text: string): boolean {
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text;
}

import { LongNumber } from '../../text/long-number.js';
import type { FieldDefinition } from '../field-definition.js';
import { decimalKey, decimalOf, shortestDecimal } from './decimal.js';
import { refused, type ParseResult } from './field-type.js';
import { MAX_TEXT_BYTES } from './string-field-type.js';

/**
 * Numbers (clause 2.6): a finite JSON number, or a plain decimal string (sign, digits, fraction; no exponent)
 * of at most 16 KiB. Stored exactly and in its shortest form: `"12.50"` as `12.5`, `"-0"` as `0`, 1e21 as
 * `1000000000000000000000`.
 */
export const NUMBER = {
  id: 'number',
  parse(value: unknown, field: FieldDefinition): ParseResult {
    const given = value instanceof LongNumber ? value.toString() : value;
    if (typeof given === 'string' && given.length > MAX_TEXT_BYTES)
      return refused(field, `must have at most ${MAX_TEXT_BYTES} bytes in UTF-8`);
    const decimal = decimalIn(given);
    if (decimal !== undefined) return { ok: true, value: decimal };
    const accepted = 'a JSON number, or a plain decimal string such as "5" or "-12.50"';
    return refused(field, `must be a finite number: ${accepted}`);
  },
  /**
   * A text by whose code units numbers are ordered by size, exactly; undefined for what an earlier type of
   * the field has stored.
   */
  comparisonKey(stored: string): string | undefined {
    const decimal = shortestDecimal(stored) ?? writtenByJavaScript(stored);
    return decimal === undefined ? undefined : decimalKey(decimal);
  },
};

function decimalIn(value: unknown): string | undefined {
  if (typeof value === 'string') return shortestDecimal(value);
  return typeof value === 'number' && Number.isFinite(value) ? decimalOf(value) : undefined;
}

/** The decimal of a number that an earlier version has stored with an exponent, such as `1e+21`. */
function writtenByJavaScript(stored: string): string | undefined {
  const number = Number(stored);
  return Number.isFinite(number) && String(number) === stored ? decimalOf(number) : undefined;
}

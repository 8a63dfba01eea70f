import { LongNumber } from '../../text/long-number.js';
import type { FieldDefinition } from '../field-definition.js';
import { canonicalHost } from '../../text/canonical-host.js';
import type { FieldType, ParseResult } from './field-type.js';
import { isLongerThan, textProblem } from '../../text/text-problem.js';
import { normalizeEmail, withoutInvisibleEnds } from '../../text/email-key.js';

/** The most bytes in UTF-8 of a text field, and of one that is long. */
export const MAX_TEXT_BYTES = 16 * 1024;
export const MAX_LONG_TEXT_BYTES = 256 * 1024;
/** The most characters of `email`, `external_id` and `website_url`, the unique keys of clause 2.8. */
export const MAX_KEY_LENGTH = 512;
/** The most bytes of a key: it is in a btree index, whose entries PostgreSQL limits to about 2,700 bytes. */
const MAX_KEY_BYTES = 2000;

/**
 * Text (clause 2.6): a string, finite number or boolean, stored as it is. Of the standard fields, `email` is
 * normalized, `website_url` is reduced to its canonical host, and `external_id` loses white space and
 * invisible characters at its ends. A custom field with one of these names is plain text. The size is limited
 * (contract section 3): that of what is stored.
 */
export class StringFieldType implements FieldType {
  readonly id = 'string';

  parse(value: unknown, field: FieldDefinition): ParseResult {
    const name = field.internalName;
    if (!isCoercible(value)) return refused(`${name} must be a string, a number or a boolean`);
    const problem = textProblem(value);
    if (problem !== undefined) return refused(`${name} ${problem}`);
    const stored = normalize(String(value), field);
    if (stored === undefined)
      return refused(`${name} must be a web address or host name, such as example.com`);
    if (isKey(field) && isLongerThan(stored, MAX_KEY_LENGTH)) {
      return refused(`${name} must have at most ${MAX_KEY_LENGTH} characters`);
    }
    const maximum = mostBytes(field);
    if (Buffer.byteLength(stored) > maximum) {
      return refused(`${name} must have at most ${maximum} bytes in UTF-8`);
    }
    return { ok: true, value: stored };
  }
}

function isCoercible(value: unknown): value is string | number | boolean | LongNumber {
  if (typeof value === 'string' || typeof value === 'boolean') return true;
  return Number.isFinite(value) || value instanceof LongNumber;
}

function normalize(text: string, field: FieldDefinition): string | undefined {
  if (field.standard && field.internalName === 'email') return normalizeEmail(text);
  if (field.standard && field.internalName === 'website_url') return canonicalHost(text);
  if (field.internalName === 'external_id') return withoutInvisibleEnds(text);
  return text;
}

function isKey(field: FieldDefinition): boolean {
  const name = field.internalName;
  return name === 'external_id' || (field.standard && (name === 'email' || name === 'website_url'));
}

function mostBytes(field: FieldDefinition): number {
  if (isKey(field)) return MAX_KEY_BYTES;
  return field.long === true ? MAX_LONG_TEXT_BYTES : MAX_TEXT_BYTES;
}

function refused(message: string): ParseResult {
  return { ok: false, message };
}

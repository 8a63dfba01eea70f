import { canonicalHost } from '../../text/canonical-host.js';
import { normalizeEmail, withoutInvisibleEnds } from '../../text/email-key.js';
import { LongNumber } from '../../text/long-number.js';
import { isLongerThan, textProblem } from '../../text/text-problem.js';
import type { FieldDefinition } from '../field-definition.js';
import { refused, type ParseResult } from './field-type.js';

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
 * invisible characters at its ends. The size of what is stored is limited (contract section 3).
 */
export const STRING = {
  id: 'string',
  parse(value: unknown, field: FieldDefinition): ParseResult {
    if (!isCoercible(value)) return refused(field, 'must be a string, a number or a boolean');
    const problem = textProblem(value);
    if (problem !== undefined) return refused(field, problem);
    const isKey = field.internalName === 'external_id' || isStandard(field, 'email', 'website_url');
    const stored = normalize(String(value), field);
    if (stored === undefined)
      return refused(field, 'must be a web address or host name, such as example.com');
    if (isKey && isLongerThan(stored, MAX_KEY_LENGTH))
      return refused(field, `must have at most ${MAX_KEY_LENGTH} characters`);
    const most = isKey ? MAX_KEY_BYTES : field.long === true ? MAX_LONG_TEXT_BYTES : MAX_TEXT_BYTES;
    if (Buffer.byteLength(stored) > most) return refused(field, `must have at most ${most} bytes in UTF-8`);
    return { ok: true, value: stored };
  },
};

function isCoercible(value: unknown): value is string | number | boolean | LongNumber {
  if (typeof value === 'string' || typeof value === 'boolean') return true;
  return Number.isFinite(value) || value instanceof LongNumber;
}

/** Whether it is that standard field: a custom one may have the name, and is plain text. */
function isStandard({ standard, internalName }: FieldDefinition, ...names: readonly string[]): boolean {
  return standard && names.includes(internalName);
}

function normalize(text: string, field: FieldDefinition): string | undefined {
  if (isStandard(field, 'email')) return normalizeEmail(text);
  if (isStandard(field, 'website_url')) return canonicalHost(text);
  return field.internalName === 'external_id' ? withoutInvisibleEnds(text) : text;
}

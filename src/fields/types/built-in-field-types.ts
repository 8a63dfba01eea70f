import { normalizeEmail } from '../../text/email-key.js';
import { textProblem } from '../../text/text-problem.js';
import { parseInstant } from '../../time/parse-instant.js';
import type { FieldDefinition } from '../field-definition.js';
import { ENUMERATION } from './enumeration-field-type.js';
import { refused, type FieldEnvironment, type FieldType, type ParseResult } from './field-type.js';
import { NUMBER } from './number-field-type.js';
import { REFERENCE } from './reference-field-type.js';
import { STRING } from './string-field-type.js';

/** true, false, 'true' or 'false', and nothing else; stored as a text. false is ordered before true. */
export const BOOL = {
  id: 'bool',
  parse(value: unknown, field: FieldDefinition): ParseResult {
    if (value === true || value === 'true') return { ok: true, value: 'true' };
    if (value === false || value === 'false') return { ok: true, value: 'false' };
    return refused(field, 'must be true, false, "true" or "false"');
  },
};

/**
 * Instants (`parseInstant`): ISO 8601, RFC 2822 or a numeric timestamp; stored as `YYYY-MM-DDTHH:mm:ss.SSSZ`,
 * years 0001–9999.
 */
export const DATETIME = {
  id: 'datetime',
  parse(value: unknown, field: FieldDefinition): ParseResult {
    const instant = parseInstant(value);
    if (instant !== undefined) return { ok: true, value: new Date(instant).toISOString() };
    const accepted = 'ISO 8601, RFC 2822 or a numeric timestamp, in the years 0001 to 9999';
    return refused(field, `must be a date: ${accepted}`);
  },
  /** Milliseconds since 1970; undefined for what an earlier type of the field has stored. */
  comparisonKey: (stored: string): number | undefined => parseInstant(stored),
};

/** A user of the account: UUID or e-mail in any case. Stored as the user's e-mail. */
export const USER = {
  id: 'user',
  parse(value: unknown, field: FieldDefinition, environment: FieldEnvironment): ParseResult {
    if (typeof value !== 'string') return refused(field, 'must be the id or e-mail of a user');
    const problem = textProblem(value);
    if (problem !== undefined) return refused(field, problem);
    const user = environment.findUser(normalizeEmail(value));
    return user === undefined
      ? refused(field, 'is not a user of the account (send an id or e-mail)')
      : { ok: true, value: user.email };
  },
};

/** The field types of clause 2.6, in its order, and references (contract section 7). */
export const BUILT_IN_FIELD_TYPES: readonly FieldType[] = [
  ...[STRING, NUMBER, BOOL, DATETIME, ENUMERATION, USER, REFERENCE],
];

import type { FieldDefinition } from '../field-definition.js';
import type { FieldType, ParseResult } from './field-type.js';
import { parseInstant } from '../../time/parse-instant.js';

/**
 * Instants (clause 2.6): ISO 8601, RFC 2822 or a numeric timestamp; stored as `YYYY-MM-DDTHH:mm:ss.SSSZ`,
 * years 0001–9999. See `parseInstant`.
 */
export class DatetimeFieldType implements FieldType {
  readonly id = 'datetime';

  parse(value: unknown, field: FieldDefinition): ParseResult {
    const instant = parseInstant(value);
    if (instant !== undefined) return { ok: true, value: new Date(instant).toISOString() };
    const accepted = 'ISO 8601, RFC 2822 or a numeric timestamp, in the years 0001 to 9999';
    return { ok: false, message: `${field.internalName} must be a date: ${accepted}` };
  }

  /**
   * Milliseconds since 1970-01-01T00:00:00Z; undefined for a value that is no instant, which an earlier type
   * of the field may have stored.
   */
  comparisonKey(stored: string): number | undefined {
    return parseInstant(stored);
  }
}

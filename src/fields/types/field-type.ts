import type { FieldDefinition } from '../field-definition.js';

/** A stored value, or why the input was refused. The message names the field and what it accepts, never the input. */
export type ParseResult = { ok: true; value: string } | { ok: false; message: string };

/** What a type may look at besides the value. */
export interface FieldEnvironment {
  /**
   * Finds a user of the record's account by UUID or e-mail. Called with trimmed, lower-case text;
   * found again by the e-mail it returns.
   */
  readonly findUser: (idOrEmail: string) => { email: string } | undefined;
}

/** What conditions compare a stored value by. Equal keys mean equal values. Never NaN. */
export type ComparisonKey = string | number;

/** How values of one `field_type_id` (clause 2.6) are read, stored and compared. Stateless as far as callers can tell. */
export interface FieldType {
  /** The `field_type_id`, e.g. `number`. */
  readonly id: string;
  /**
   * Turns an accepted input into the stored string (clause 2.6). Never called with null or ''.
   * Never throws. A stored value parses to itself. An empty value means that nothing is left: the field is cleared.
   */
  parse(value: unknown, field: FieldDefinition, environment: FieldEnvironment): ParseResult;
  /**
   * Optional: the key by which conditions compare a stored value. Numbers are ordered by size, texts by code unit. A type
   * without this method, and a value for which it returns undefined, is compared as text without regard to case.
   * Called once per value, not once per condition. Never throws.
   */
  comparisonKey?(stored: string): ComparisonKey | undefined;
}

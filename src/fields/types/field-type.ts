import type { FieldDefinition } from '../field-definition.js';
import type { ObjectType } from '../object-type.js';

/**
 * A stored value, or why the input is refused. The message names the field and what it accepts, never the
 * input.
 */
export type ParseResult = { ok: true; value: string } | { ok: false; message: string };

/** Refuses a value. @param problem what the field must be or has, in words that follow its name */
export function refused({ internalName }: FieldDefinition, problem: string): ParseResult {
  return { ok: false, message: `${internalName} ${problem}` };
}

/** A record as the value of a reference names it: by its id, or by a unique key of its type. */
export interface NamedTarget {
  readonly objectType: ObjectType;
  /** `id`, or the unique key, such as `website_url`. */
  readonly property: string;
  /** As it was sent. */
  readonly value: unknown;
}

/** What `parse` may use besides the value. */
export interface FieldEnvironment {
  /**
   * Finds a user of the record's account by UUID or e-mail. The argument is trimmed and in lower case. The
   * e-mail of the result finds the same user again.
   */
  readonly findUser: (idOrEmail: string) => { email: string } | undefined;
  /**
   * Finds an active record of the record's account: its id, or why the key is none. Undefined for a record
   * that there is not. Conditions of triggers look for no records, and have no such function.
   */
  readonly findRecord?: (target: NamedTarget) => ParseResult | undefined;
}

/** What conditions compare a stored value by. Values with equal keys are equal. Never NaN. */
export type ComparisonKey = string | number;

/**
 * How values of one `field_type_id` (clause 2.6) are read, stored and compared. The built-in types are
 * written like those of extensions. A type may cache, but its results depend on the arguments only.
 */
export interface FieldType {
  /** The `field_type_id`, e.g. `number`. */
  readonly id: string;
  /**
   * Turns an input into the stored string (clause 2.6), or refuses it. Never called with null or ''. Never
   * throws. A stored value parses to itself. An empty result clears the field.
   */
  parse(value: unknown, field: FieldDefinition, environment: FieldEnvironment): ParseResult;
  /**
   * Optional: the key by which conditions compare a stored value. Numbers are ordered by size, texts by code
   * unit. Without this method, or where it returns undefined, the value is compared as text: without regard
   * to case, surrounding white space and composition, in alphabetical order. Called once per value, not once
   * per condition. Never throws.
   */
  comparisonKey?(stored: string): ComparisonKey | undefined;
}

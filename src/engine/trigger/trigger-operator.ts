import type { FieldHandle, FieldValue } from './field-value.js';

/** Whether a condition holds for a value; undefined for a record without a value. Never throws. */
export type ValueTest = (value: FieldValue | undefined) => boolean;

/** Why a condition is refused. `blame` is the key of the condition to correct. */
export interface OperandRefusal {
  readonly ok: false;
  readonly message: string;
  readonly blame: 'operator' | 'value';
}

/** The test of a condition, or why the condition is refused. */
export type OperandResult = { readonly ok: true; readonly test: ValueTest } | OperandRefusal;

/** The value of a field in a search. */
export interface SqlValue {
  /** SQL for the stored text; null for a record without a value. Users have their e-mails. */
  readonly stored: string;
  /** Adds a parameter. @returns SQL for it, of type text or text[] */
  parameter(value: string | readonly string[]): string;
}

/** One way to compare a field of a record. The built-in operators are written like those of extensions. */
export interface TriggerOperator {
  /** The word that conditions use, unique among the registered operators. */
  readonly id: string;
  /**
   * Reads the configured `value` (undefined if it is left out) and prepares the test. Runs once for each
   * condition when a router is validated or compiled, while the test runs for each record. So work that does
   * not depend on the record belongs here.
   */
  compile(value: unknown, field: FieldHandle): OperandResult;

  /**
   * Returns the test as SQL, for searches: true where the test of `compile` is, and null or false elsewhere.
   * An operator without it is refused in searches. Values must be parameters.
   * @param value that `compile` accepts
   */
  sql?(value: unknown, field: SqlValue): string;
}

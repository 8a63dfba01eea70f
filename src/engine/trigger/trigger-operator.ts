import type { FieldHandle } from './field-lookup.js';
import type { FieldValue } from './field-value.js';

/** A compiled operand, or why the value is none; `blame` tells which key of the condition to correct. */
export type OperandResult<Operand> =
  | { readonly ok: true; readonly operand: Operand }
  | { readonly ok: false; readonly message: string; readonly blame: 'operator' | 'value' };

/** Whether a condition holds for a value; undefined where the record has none. */
export type ValueTest = (value: FieldValue | undefined) => boolean;

/** One way to compare a field of a record. Register further ones with the engine; the built-in ones are written alike. */
export interface TriggerOperator<Operand = unknown> {
  /** The word that conditions use, unique among the registered operators. */
  readonly id: string;
  /** Reads the configured `value` (undefined where it was left out) once, when a router is validated or compiled. */
  compileOperand(value: unknown, field: FieldHandle): OperandResult<Operand>;
  /** Whether the condition holds for a stored value; undefined where the record has none. */
  test(value: string | undefined, operand: Operand, field: FieldHandle): boolean;
  /**
   * Optional, for operators that thousands of conditions use: `test` with operand and field fixed, prepared once per
   * router so that each test is no more than a comparison. Where it is given it is used instead of `test`.
   */
  bind?(operand: Operand, field: FieldHandle): ValueTest;
}

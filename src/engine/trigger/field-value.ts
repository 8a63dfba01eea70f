import type { ComparisonKey } from '../../fields/types/field-type.js';
import { compareFolded, foldText } from '../../text/fold-text.js';
import type { FieldHandle } from './field-lookup.js';

/** A stored value as conditions use it. The forms that comparisons need are computed once, on first use. */
export class FieldValue {
  private text: string | undefined;
  private comparable: ComparisonKey | undefined;

  /** @param field undefined for a field that no longer exists; its value is compared as text */
  constructor(
    readonly stored: string,
    private readonly field: FieldHandle | undefined,
  ) {}

  /** The text without regard to case. */
  get folded(): string {
    return (this.text ??= foldText(this.stored));
  }

  /** The key by which the field's type compares the value. Values with equal keys are equal. */
  get key(): ComparisonKey {
    return (this.comparable ??= this.field?.comparisonKey(this.stored) ?? this.folded);
  }
}

/**
 * The position of a value relative to an operand: negative for before, zero for equal, positive for after.
 */
export type ValueOrder = (value: FieldValue) => number;

/**
 * Compares values with an operand by their keys: numbers by size, texts by code unit. A number and a text are
 * compared as texts; a field can have both if an earlier type of the field stored some of its values.
 */
export function orderRelativeTo(operand: FieldValue): ValueOrder {
  const { key: bound } = operand;
  // One function for each kind of key: JavaScript engines compile comparisons of one kind to faster code.
  if (typeof bound === 'number') {
    return (value) => {
      const { key } = value;
      return typeof key === 'number' ? compareNumbers(key, bound) : compareFolded(key, operand.folded);
    };
  }
  return (value) => {
    const { key } = value;
    return compareFolded(typeof key === 'string' ? key : value.folded, bound);
  };
}

/** Whether a value equals one of a list of operands. One look-up, however long the list is. */
export function equalsOneOf(operands: readonly FieldValue[]): (value: FieldValue) => boolean {
  // Values that are text equal a number by its text, as in `orderRelativeTo`.
  const keys = new Set(
    operands.flatMap(({ key, folded }) => (typeof key === 'number' ? [key, folded] : [key])),
  );
  return (value) => keys.has(value.key);
}

function compareNumbers(left: number, right: number): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

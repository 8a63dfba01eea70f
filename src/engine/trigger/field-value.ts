import { parseInstant } from '../../fields/types/parse-instant.js';
import type { FieldHandle } from './field-lookup.js';

/** Text without regard to case. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** A value in stored form as conditions see it. What comparisons need of it is worked out once, when first asked for. */
export class FieldValue {
  private text: string | undefined;
  private number: number | undefined;

  /** @param type id of the field's type */
  constructor(
    readonly stored: string,
    private readonly type: string,
  ) {}

  /** The text without regard to case. */
  get folded(): string {
    return (this.text ??= foldCase(this.stored));
  }

  /** A number as it is, an instant in milliseconds; NaN for everything else. */
  get magnitude(): number {
    return (this.number ??= magnitudeOf(this.stored, this.type));
  }
}

function magnitudeOf(stored: string, type: string): number {
  if (type === 'datetime') return parseInstant(stored) ?? NaN;
  const number = type === 'number' ? Number(stored) : NaN;
  return String(number) === stored && Number.isFinite(number) ? number : NaN;
}

/** Types whose order is that of their text without regard to case. */
const TEXT_TYPES: ReadonlySet<string> = new Set(['string', 'enumeration', 'user', 'bool']);
const MAGNITUDE_TYPES: ReadonlySet<string> = new Set(['number', 'datetime']);

/** Orders a value and an operand: negative, zero or positive. */
export type ValueOrder = (value: FieldValue, operand: FieldValue) => number;

/**
 * The order of a field's type, text case-insensitively. Numbers and instants go by magnitude; where a value is none
 * (stored by a type the field had before), as text. Types of extensions are ordered by their own `compare`.
 */
export function valueOrder(field: FieldHandle): ValueOrder {
  const { type } = field.definition;
  if (TEXT_TYPES.has(type)) return byText;
  if (MAGNITUDE_TYPES.has(type)) return byMagnitude;
  return (value, operand) => field.compare(value.stored, operand.stored);
}

/** Tells whether a value equals one of a list of operands, in the order of the field's type; a look-up, however long the list. */
export function equalsOneOf(operands: readonly string[], field: FieldHandle): (value: FieldValue) => boolean {
  const { type } = field.definition;
  const values = operands.map((operand) => new FieldValue(operand, type));
  if (!TEXT_TYPES.has(type) && !MAGNITUDE_TYPES.has(type)) {
    return ({ stored }) => operands.some((operand) => field.compare(stored, operand) === 0);
  }
  const texts = new Set(values.map(({ folded }) => folded));
  if (TEXT_TYPES.has(type)) return ({ folded }) => texts.has(folded);
  const magnitudes = new Set(values.map(({ magnitude }) => magnitude).filter((each) => !Number.isNaN(each)));
  // Values of different magnitude never have the same text.
  return (value) => magnitudes.has(value.magnitude) || texts.has(value.folded);
}

function byText(value: FieldValue, operand: FieldValue): number {
  if (value.folded === operand.folded) return 0;
  return value.folded < operand.folded ? -1 : 1;
}

function byMagnitude(value: FieldValue, operand: FieldValue): number {
  if (value.magnitude < operand.magnitude) return -1;
  if (value.magnitude > operand.magnitude) return 1;
  return value.magnitude === operand.magnitude ? 0 : byText(value, operand);
}

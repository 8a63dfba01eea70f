import type { FieldDefinition } from '../../fields/field-definition.js';
import type { ObjectType } from '../../fields/object-type.js';
import type { ComparisonKey, ParseResult } from '../../fields/types/field-type.js';
import { canonicalText, compareCanonical } from '../../text/canonical-text.js';

/** A field as conditions use it: the definition, and how its type reads and compares values. */
export interface FieldHandle {
  readonly definition: FieldDefinition;
  /** Converts an operand to the stored form of a value, or refuses it. */
  readonly parse: (value: unknown) => ParseResult;
  /** See `FieldType.comparisonKey`: the key by which the type compares; undefined to compare as text. */
  readonly comparisonKey: (stored: string) => ComparisonKey | undefined;
  /** The form in which values are equal that have several spellings; undefined for one spelling. */
  readonly keyForm?: ((stored: string) => string) | undefined;
}

/** Finds a field of an object type by its internal name, system-managed fields included. */
export type FieldLookup = (objectType: ObjectType, name: string) => FieldHandle | undefined;

/** A stored value as conditions use it. The forms that comparisons need are computed once, on first use. */
export class FieldValue {
  private text: string | undefined;
  /** Null: the field's type has no key for the value. Undefined: not asked yet. */
  private comparable: ComparisonKey | null | undefined;

  /** @param field undefined for a field that no longer exists; its value is compared as text */
  constructor(
    readonly stored: string,
    private readonly field: FieldHandle | undefined,
  ) {}

  /** The text without regard to case, surrounding white space and composition (`canonicalText`). */
  get folded(): string {
    return (this.text ??= canonicalText(this.stored));
  }

  /** As `folded`, of the form in which spellings of one value are equal. */
  get equal(): string {
    const { keyForm } = this.field ?? {};
    return keyForm === undefined ? this.folded : canonicalText(keyForm(this.stored));
  }

  /** The key by which the field's type compares the value. Null for a value that is compared as text. */
  get typeKey(): ComparisonKey | null {
    if (this.comparable === undefined) this.comparable = this.field?.comparisonKey(this.stored) ?? null;
    return this.comparable;
  }

  /** The key of the field's type, or the text where it has none. Values with equal keys are equal. */
  get key(): ComparisonKey {
    return this.typeKey ?? this.folded;
  }
}

/** The position of a value relative to an operand: negative for before, zero for equal, else positive. */
export type ValueOrder = (value: FieldValue) => number;

/**
 * Compares values with an operand: by their keys where both have one of a kind, numbers by size and texts by
 * code unit. Otherwise they are compared as texts, alphabetically: a field can have values without a key if
 * an earlier type of the field stored them.
 */
export function orderRelativeTo({ typeKey: bound, folded }: FieldValue): ValueOrder {
  return (value) => {
    const { typeKey: key } = value;
    if (key === null || bound === null || typeof key !== typeof bound) {
      return compareCanonical(value.folded, folded);
    }
    return key === bound ? 0 : key < bound ? -1 : 1;
  };
}

/** Whether a value equals one of a list of operands. At most two look-ups, however long the list is. */
export function equalsOneOf(operands: readonly FieldValue[]): (value: FieldValue) => boolean {
  const keys = new Set(operands.flatMap(({ typeKey }) => typeKey ?? []));
  // As in `orderRelativeTo`: texts count where the key of the value is not compared with that of the operand.
  const textsFor = (kind: string): Set<string> =>
    new Set(operands.flatMap(({ typeKey, equal }) => (typeof typeKey === kind ? [] : [equal])));
  const texts = { number: textsFor('number'), string: textsFor('string'), none: textsFor('none') };
  return (value) => {
    const { typeKey: key } = value;
    if (key === null) return texts.none.has(value.equal);
    if (keys.has(key)) return true;
    const others = typeof key === 'number' ? texts.number : texts.string;
    return others.size > 0 && others.has(value.equal);
  };
}

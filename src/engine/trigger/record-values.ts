import type { RecordInput } from '../model/decision.js';
import { FieldValue } from './field-value.js';

/** The fields that the triggers of a router name, each with a place, so that its value is found without a search. */
export class FieldSlots {
  private readonly places = new Map<string, number>();
  private readonly types: string[] = [];

  /**
   * The place of a field.
   * @param type id of the field's type; empty where the field is gone
   */
  slot(field: string, type: string): number {
    const known = this.places.get(field);
    if (known !== undefined) return known;
    this.places.set(field, this.types.length);
    return this.types.push(type) - 1;
  }

  /** Field and type by place. */
  get all(): readonly (readonly [field: string, type: string])[] {
    return [...this.places.keys()].map((field, place) => [field, this.types[place] ?? '']);
  }
}

/** The values of a record during one decision: each field is read at most once, however many conditions name it. */
export class RecordValues {
  /** Null for what was not read yet. */
  private readonly values: (FieldValue | undefined | null)[];
  private readonly fields: readonly (readonly [field: string, type: string])[];

  constructor(
    private readonly record: RecordInput,
    slots: FieldSlots,
  ) {
    this.fields = slots.all;
    this.values = this.fields.map(() => null);
  }

  /** The value in the place of a field; undefined for none, which an empty one counts as. */
  get(slot: number): FieldValue | undefined {
    const known = this.values[slot];
    return known === null ? this.read(slot) : known;
  }

  private read(slot: number): FieldValue | undefined {
    const [field = '', type = ''] = this.fields[slot] ?? [];
    const stored = this.record.get(field) ?? '';
    const value = stored === '' ? undefined : new FieldValue(stored, type);
    this.values[slot] = value;
    return value;
  }
}

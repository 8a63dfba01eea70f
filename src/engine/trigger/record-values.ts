import type { RecordInput } from '../model/decision.js';
import { type FieldHandle, FieldValue } from './field-value.js';

/** A field that triggers name. */
export interface FieldSlot {
  readonly name: string;
  /** Undefined for a field that no longer exists. */
  readonly handle: FieldHandle | undefined;
}

/** The fields that the triggers of a router name. Each has a place, an index, by which its value is found. */
export class FieldSlots {
  private readonly places = new Map<string, number>();
  private readonly handles: (FieldHandle | undefined)[] = [];

  /**
   * The place of a field; a new one if the field has none yet.
   * @param handle undefined for a field that no longer exists
   */
  slot(field: string, handle: FieldHandle | undefined): number {
    const known = this.places.get(field);
    if (known !== undefined) return known;
    this.places.set(field, this.handles.length);
    return this.handles.push(handle) - 1;
  }

  /** The fields by place. */
  get all(): readonly FieldSlot[] {
    return [...this.places.keys()].map((name, place) => ({ name, handle: this.handles[place] }));
  }
}

/**
 * The values of a record during one decision. Each field is read at most once, by whatever number of
 * conditions.
 */
export class RecordValues {
  /** By place. Null: not read yet; undefined: no value. */
  private readonly values: (FieldValue | undefined | null)[];
  private readonly fields: readonly FieldSlot[];

  constructor(
    private readonly record: RecordInput,
    slots: FieldSlots,
  ) {
    this.fields = slots.all;
    this.values = this.fields.map(() => null);
  }

  /** The value of the field in a place; undefined for none or an empty one. */
  get(slot: number): FieldValue | undefined {
    const known = this.values[slot];
    return known === null ? this.read(slot) : known;
  }

  private read(slot: number): FieldValue | undefined {
    const field = this.fields[slot];
    const stored = field === undefined ? '' : (this.record.get(field.name) ?? '');
    const value = stored === '' ? undefined : new FieldValue(stored, field?.handle);
    this.values[slot] = value;
    return value;
  }
}

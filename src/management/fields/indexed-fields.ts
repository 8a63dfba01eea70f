import { OBJECT_TYPES, type StoredField } from '../../fields/index.js';
import type { Refuse } from '../change/configuration-change.js';
import { fieldKey } from './router-fields.js';

/** The most fields of an object type that have an index: each is one more row to write with a record. */
const MOST_INDEXED = 20;

/** A field as it is stored; no `archivedAt` for a new one. */
type Indexable = StoredField & { readonly archivedAt?: Date | null };

interface Kept {
  readonly field: Indexable;
  readonly refuse: Refuse;
}

/** The fields of an account that have an index. */
export class IndexedFields {
  private readonly fields: Map<string, Indexable>;
  private readonly added: Kept[] = [];

  /** @param stored all fields of the account before the change */
  constructor(stored: readonly Indexable[]) {
    this.fields = new Map(stored.filter(isIndexed).map((field) => [field.id, field]));
  }

  /** Notes a field as it becomes. */
  keep(field: Indexable, refuse: Refuse): void {
    const wasIndexed = this.fields.delete(field.id);
    if (!isIndexed(field)) return;
    this.fields.set(field.id, field);
    if (!wasIndexed) this.added.push({ field, refuse });
  }

  /** Refuses the last of the indexes that were added where a type has more than it may. */
  refuseTooMany(): void {
    for (const type of OBJECT_TYPES) {
      const all = [...this.fields.values()].filter(({ objectType }) => objectType === type);
      const added = this.added.filter(({ field }) => field.objectType === type && this.fields.has(field.id));
      const room = Math.max(0, MOST_INDEXED - (all.length - added.length));
      for (const { field, refuse } of added.slice(room))
        refuse(
          'indexed',
          `${fieldKey(field)} cannot have an index: at most ${MOST_INDEXED} fields of ${type} can`,
        );
    }
  }
}

const isIndexed = ({ indexed = false, archivedAt = null }: Indexable): boolean =>
  indexed && archivedAt === null;

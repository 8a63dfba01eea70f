import type { KeySpan } from './condition.js';
import type { OwnedSql } from './filter-sql.js';
import {
  foundStage,
  isById,
  keysIn,
  orderStages,
  ownerStage,
  recordsStage,
  spanStage,
  type SourceParts,
  type Stage,
  type UsedIndex,
} from './search-path.js';
import type { SearchedField } from './searched-field.js';
import type { Composed } from './sql-values.js';

/** What the database says of indexes before a path is chosen. */
export interface Chances {
  /** The ids of the indexes that are ready, by field; null where there are none. */
  readonly ready: Readonly<Record<string, number>> | null;
  /** How many keys each span has, MANY of a range at most, then how many records owners have, MANY too. */
  readonly counts: readonly number[];
}

/** How the statements of a search find the records that may match. */
export interface SearchPath {
  /** One after the other, for pages. */
  readonly stages: readonly Stage[];
  /** In any order, for a count. */
  readonly all: Stage;
}

/** What a search can use beside the table of records. */
export interface Indexable {
  /** Each has all records of the search. */
  readonly spans: readonly KeySpan[];
  /** Whether all records meet the conditions of each span. */
  readonly isOneGroup: boolean;
  /** A condition on the owner, which all records of the search meet. */
  readonly owned: OwnedSql | undefined;
  /** The field of the first key of the order, where it can have an index. */
  readonly ordered: SearchedField | undefined;
  readonly field: (name: string) => SearchedField;
}

/** Records, or keys of them, that are counted to find out whether a condition has few. */
const MANY = 5_000;

const UNKNOWN: Chances = { ready: null, counts: [] };

/** Chooses how the records of a search are found (ADR 26). */
export class PathChoice {
  constructor(
    private readonly indexable: Indexable,
    private readonly parts: SourceParts,
  ) {}

  /** The fields whose indexes can be used. */
  get fields(): readonly string[] {
    const { spans, ordered } = this.indexable;
    const named = [...spans.map(({ field }) => field), ...(ordered === undefined ? [] : [ordered.name])];
    return [...new Set(named)];
  }

  /**
   * Returns the path where there is one way only, by an index: nothing is found where it is not ready.
   * Undefined where chances decide.
   */
  direct(): SearchPath | undefined {
    const { spans, owned, ordered } = this.indexable;
    const [span] = spans;
    if (this.isOwnOrder && span !== undefined)
      return only(spanStage(span.ranges, this.indexOf(span.field), this.parts));
    if (ordered === undefined || span !== undefined || owned !== undefined) return undefined;
    const stages = orderStages(this.indexOf(ordered.name), undefined, this.parts);
    return { stages, all: recordsStage(this.parts) };
  }

  /** Returns a statement with the chances in its one row; undefined where none decide. */
  chances(): Composed | undefined {
    const { spans, owned } = this.indexable;
    const { values } = this.parts;
    const counts = spans.map(({ field, ranges }) => {
      // In the order of the index, which PostgreSQL would read as a whole otherwise.
      const keys = ranges.map((range) => `${keysIn(range, this.indexOf(field).id)} ORDER BY k.key`);
      return keys.map(numberOf).join(' + ');
    });
    if (owned !== undefined) counts.push(numberOf(foundStage(owned.sql, this.parts).ids));
    const decisive = this.isOwnOrder || this.isOwnersOrder ? [] : counts;
    if (this.fields.length === 0 && decisive.length === 0) return undefined;
    const ready = `SELECT jsonb_object_agg(i.field, i.id) FROM ${READY} = ANY (${values.add(this.fields, 'text[]')})`;
    return values.compose(`SELECT (${ready}) AS ready, ARRAY[${decisive.join(', ')}]::int[] AS counts`);
  }

  /** @param chances what the statement has returned @param owners what their column has */
  choose({ ready, counts }: Chances = UNKNOWN, owners?: readonly string[]): SearchPath {
    const { ordered, isOneGroup, spans, owned } = this.indexable;
    const { values, keys } = this.parts;
    const used = (name: string): UsedIndex | undefined => {
      const id = ready?.[name];
      if (id === undefined) return undefined;
      return { id: values.add(id, 'int'), field: this.indexable.field(name) };
    };
    const records = recordsStage(this.parts);
    const found = spans.flatMap((span, index) => {
      const by = used(span.field);
      return by === undefined
        ? []
        : [{ span, count: counts[index], stage: spanStage(span.ranges, by, this.parts) }];
    });
    const [own] = found;
    if (own !== undefined && this.isOwnOrder) return only(own.stage);
    const ofOwners = owned === undefined ? undefined : this.ownedBy(owned, owners);
    if (ofOwners !== undefined && this.isOwnersOrder) return only(ofOwners);
    // The last count is that of the owners.
    const ways = ofOwners === undefined ? found : [...found, { count: counts.at(-1), stage: ofOwners }];
    const few = ways.toSorted(byCount)[0];
    if (few?.count !== undefined && few.count < MANY) return only(few.stage);
    const all = found.toSorted(byCount)[0]?.stage ?? ofOwners ?? records;
    const order = ordered === undefined ? undefined : used(ordered.name);
    if (order !== undefined) {
      const same = isOneGroup ? found.find(({ span }) => span.field === order.field.name) : undefined;
      return { stages: orderStages(order, same?.span, this.parts), all };
    }
    if (!isById(keys)) return only(all);
    const merged = owners === undefined ? undefined : ofOwners;
    return { stages: [found.find(({ span }) => span.areKeys)?.stage ?? merged ?? records], all };
  }

  /** The records of owners. @param owners what their column has, where that is known */
  private ownedBy({ sql }: OwnedSql, owners: readonly string[] | undefined): Stage {
    if (owners !== undefined) return ownerStage(owners, this.parts);
    // In another order all of them are read anyway.
    return isById(this.parts.keys) ? foundStage(sql, this.parts).stage : recordsStage(this.parts);
  }

  /** The index of a field where it is ready. */
  private indexOf(name: string): UsedIndex {
    const id = `(SELECT i.id FROM ${READY} = ${this.parts.values.add(name, 'text')})`;
    return { id, field: this.indexable.field(name) };
  }

  /** Whether there is one way only, which has the records in the order of the search. */
  private get isOwnOrder(): boolean {
    const { spans, owned } = this.indexable;
    return isById(this.parts.keys) && owned === undefined && spans.length === 1 && spans[0]?.areKeys === true;
  }

  /** The same of owners. */
  private get isOwnersOrder(): boolean {
    const { spans, owned } = this.indexable;
    return isById(this.parts.keys) && owned?.alone !== undefined && spans.length === 0;
  }
}

/** Indexes that are ready: a condition on their field follows. */
const READY = `record_indexes i WHERE i.account_id = $1::uuid AND i.object_type = $2::text AND i.is_ready
      AND i.dropped_at IS NULL AND i.field`;

/** SQL for a number of rows, MANY at most. */
const numberOf = (rows: string): string => `(SELECT count(*) FROM (${rows} LIMIT ${MANY}) AS k)::int`;

interface Counted {
  readonly count: number | undefined;
  readonly stage: Stage;
}

const only = (stage: Stage): SearchPath => ({ stages: [stage], all: stage });

const byCount = (a: Counted, b: Counted): number => (a.count ?? MANY) - (b.count ?? MANY);

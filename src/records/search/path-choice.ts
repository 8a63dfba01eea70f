import type { KeySpan } from './condition.js';
import {
  foundStage,
  keysIn,
  orderStages,
  recordsStage,
  spanStage,
  type SourceParts,
  type Stage,
  type UsedIndex,
} from './search-path.js';
import type { SearchedField } from './searched-field.js';
import type { Composed } from './sql-values.js';

/** What the database says before a path is chosen. */
export interface Chances {
  /** The ids of the indexes that are ready, by field; null where there are none. */
  readonly ready: Readonly<Record<string, number>> | null;
  /** How many keys each span has, then how many records are found without an index: MANY at most. */
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
  /** A condition of SQL on the owner, which all records of the search meet. */
  readonly owned: string | undefined;
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

  /** Returns a statement with the chances in its one row; undefined where none decide. */
  chances(): Composed | undefined {
    const { spans, owned } = this.indexable;
    const { values } = this.parts;
    if (this.fields.length === 0 && owned === undefined) return undefined;
    const indexes = `record_indexes i WHERE i.account_id = $1::uuid AND i.object_type = $2::text AND i.is_ready
      AND i.dropped_at IS NULL AND i.field`;
    const ready = `SELECT jsonb_object_agg(i.field, i.id) FROM ${indexes} = ANY (${values.add(this.fields, 'text[]')})`;
    const counts = this.isOwnOrder
      ? []
      : spans.map(({ field, ranges }) => {
          const id = `(SELECT i.id FROM ${indexes} = ${values.add(field, 'text')})`;
          // In the order of the index, which PostgreSQL would read as a whole otherwise.
          const keys = ranges.map((range) => `${keysIn(range, id)} ORDER BY k.key`);
          if (keys.length === 1) return keys.join();
          return keys.map((each) => `(${each} LIMIT ${MANY})`).join(' UNION ALL ');
        });
    const found = owned === undefined ? [] : [foundStage(owned, this.parts).ids];
    const counted = [...counts, ...found].map(
      (each) => `(SELECT count(*) FROM (${each} LIMIT ${MANY}) AS k)::int`,
    );
    return values.compose(`SELECT (${ready}) AS ready, ARRAY[${counted.join(', ')}]::int[] AS counts`);
  }

  /** @param chances what the statement has returned */
  choose({ ready, counts }: Chances = UNKNOWN): SearchPath {
    const { ordered, isOneGroup, spans, owned } = this.indexable;
    const used = (name: string): UsedIndex | undefined => {
      const id = ready?.[name];
      return id === undefined ? undefined : { id, field: this.indexable.field(name) };
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
    const few = [...found, ...this.ownedBy(owned, counts)].sort(byCount)[0];
    if (few?.count !== undefined && few.count < MANY) return only(few.stage);
    const all = found.sort(byCount)[0]?.stage ?? records;
    const order = ordered === undefined ? undefined : used(ordered.name);
    if (order !== undefined) {
      const same = isOneGroup ? found.find(({ span }) => span.field === order.field.name) : undefined;
      return { stages: orderStages(order, same?.span, this.parts), all };
    }
    const keyed = this.isById ? (found.find(({ span }) => span.areKeys)?.stage ?? records) : all;
    return { stages: [keyed], all };
  }

  /** The records of owners, of which the last count is. */
  private ownedBy(owned: string | undefined, counts: readonly number[]): readonly Counted[] {
    if (owned === undefined) return [];
    // In another order all of them are read anyway.
    const stage = this.isById ? foundStage(owned, this.parts).stage : recordsStage(this.parts);
    return [{ count: counts.at(-1), stage }];
  }

  private get isById(): boolean {
    return this.parts.keys.length === 1;
  }

  /** Whether there is one way only, which has the records in the order of the search. */
  private get isOwnOrder(): boolean {
    const { spans, owned } = this.indexable;
    return this.isById && owned === undefined && spans.length === 1 && spans[0]?.areKeys === true;
  }
}

interface Counted {
  readonly count: number | undefined;
  readonly stage: Stage;
}

const only = (stage: Stage): SearchPath => ({ stages: [stage], all: stage });

const byCount = (a: Counted, b: Counted): number => (a.count ?? MANY) - (b.count ?? MANY);

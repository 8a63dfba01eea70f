import type { KeySpan } from './condition.js';
import { orderStages, recordsStage, spanStage, type SourceParts, type Stage } from './search-path.js';
import type { SearchedField } from './searched-field.js';
import type { Composed, SqlValues } from './sql-values.js';
import { keysIn } from './search-path.js';

/** The ids of the indexes that are ready, by field. */
export type ReadyIndexes = ReadonlyMap<string, number>;

/** How the statements of a search find the records that may match. */
export interface SearchPath {
  /** One after the other, for pages. */
  readonly stages: readonly Stage[];
  /** In any order, for a count. */
  readonly all: Stage;
}

/** What a search can use indexes for. */
export interface Indexable {
  /** Each has all records of the search. */
  readonly spans: readonly KeySpan[];
  /** Whether all records meet the conditions of each span. */
  readonly isOneGroup: boolean;
  /** The field of the first key of the order, where it has an index. */
  readonly ordered: SearchedField | undefined;
  readonly field: (name: string) => SearchedField;
}

/** Keys that are read to find out whether a condition has few records. */
export const MANY = 5_000;

/** Chooses how the records of a search are found (ADR 26). */
export class PathChoice {
  constructor(
    private readonly indexable: Indexable,
    private readonly parts: SourceParts,
  ) {}

  /** The fields whose indexes can be used. */
  get fields(): readonly string[] {
    const { spans, ordered } = this.indexable;
    return [...new Set([...spans.map(({ field }) => field), ...(ordered === undefined ? [] : [ordered.name])])];
  }

  /** Returns a statement with the number of keys of each span, MANY at most; undefined where none decides. */
  counts(ready: ReadyIndexes, values: SqlValues): Composed | undefined {
    const spans = this.spans(ready);
    if (spans.length === 0 || this.ownOrder(spans)) return undefined;
    const counts = spans.map((span) => {
      const keys = span.ranges.map((range) => keysIn(range, this.used(span.field, ready), values));
      return `(SELECT count(*) FROM (${keys.join(' UNION ALL ')} LIMIT ${MANY}) AS k)::int`;
    });
    return values.compose(`SELECT ARRAY[${counts.join(', ')}] AS counts`);
  }

  /** @param counts those of the statement; undefined where there is none */
  choose(ready: ReadyIndexes, counts: readonly number[] | undefined): SearchPath {
    const { ordered, isOneGroup } = this.indexable;
    const records = recordsStage(this.parts);
    const spans = this.spans(ready);
    const [own] = spans;
    if (own !== undefined && counts === undefined) return this.bySpan(own, ready);
    const least = Math.min(...(counts ?? []));
    const best = spans[counts?.indexOf(least) ?? -1];
    if (best !== undefined && least < MANY) return this.bySpan(best, ready);
    const all = best === undefined ? records : this.bySpan(best, ready).all;
    if (ordered !== undefined && ready.has(ordered.name)) {
      const same = isOneGroup ? spans.find(({ field }) => field === ordered.name) : undefined;
      return { stages: orderStages(this.used(ordered.name, ready), same, this.parts), all };
    }
    const keyed = this.isById ? spans.find(({ areKeys }) => areKeys) : best;
    return { stages: keyed === undefined ? [records] : this.bySpan(keyed, ready).stages, all };
  }

  private get isById(): boolean {
    return this.parts.keys.length === 1;
  }

  /** Whether the first span has its records in the order of the search. */
  private ownOrder([first, ...others]: readonly KeySpan[]): boolean {
    return this.isById && first?.areKeys === true && others.length === 0;
  }

  private spans(ready: ReadyIndexes): readonly KeySpan[] {
    return this.indexable.spans.filter(({ field }) => ready.has(field));
  }

  private bySpan({ field, ranges }: KeySpan, ready: ReadyIndexes): SearchPath {
    const all = spanStage(ranges, this.used(field, ready), this.parts);
    return { stages: [all], all };
  }

  private used(name: string, ready: ReadyIndexes): { readonly id: number; readonly field: SearchedField } {
    return { id: ready.get(name) ?? 0, field: this.indexable.field(name) };
  }
}

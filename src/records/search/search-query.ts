import type { FieldHandle, RecordInput, Trigger } from '../../engine/index.js';
import type { ObjectType } from '../../fields/index.js';
import type { SortName, SortValue } from './sort-sql.js';

/** What records a search finds, and in which order. */
export interface SearchQuery {
  readonly objectType: ObjectType;
  /** Whether archived records are found too. */
  readonly archived: boolean;
  readonly filter: Trigger;
  readonly sort: readonly SortName[];
  /** The fields that filter and sort name. */
  readonly fields: ReadonlyMap<string, FieldHandle>;
  /** Evaluates the filter as the engine does, for records of which PostgreSQL does not know the result. */
  readonly matches: (record: RecordInput) => boolean;
  /** Whether a type of fields has a comparison of its own (`FieldType.comparisonKey`). */
  readonly hasOwnComparison: (type: string) => boolean;
}

/** A found record, and its place in the order. */
export interface Found {
  readonly id: string;
  readonly at: readonly SortValue[];
}

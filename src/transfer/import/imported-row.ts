import type { ClientContext } from '../../auth/index.js';
import type { FieldError } from '../../errors/domain-error.js';
import type { ObjectType } from '../../fields/index.js';
import type { KeyValue, StoredRecord } from '../../records/index.js';
import type { ReadRow, SourceRow } from '../rows/source-row.js';
import type { ImportRouter } from './row-router.js';

/** Values by internal name. */
export type Values = Readonly<Record<string, unknown>>;

/** What an import is for. */
export interface ImportTarget {
  readonly objectType: ObjectType;
  /** The field by which records are found, or `id`. */
  readonly property: string;
  readonly router: ImportRouter | undefined;
  /** Fields whose bad values are left out, in place of their rows. */
  readonly skipInvalid?: ReadonlySet<string>;
  /** Undoes what it writes, and runs no router. */
  readonly dryRun: boolean;
}

/** On whose behalf rows are imported, and for what. */
export interface Import {
  readonly client: ClientContext;
  readonly target: ImportTarget;
}

/**
 * What an import has done so far; in a dry run, what it would do. Of the rejected rows, `repeated_keys` have
 * the key of an earlier one. Of the records on which the router has run, it has given `assigned` to somebody.
 */
export type ImportCounts = ReturnType<typeof noCounts>;

/** Returns the counts of an import that begins. */
export function noCounts() {
  const counts = { rows: 0, created: 0, updated: 0, unchanged: 0, rejected: 0, repeated_keys: 0 };
  return { ...counts, dispatched: 0, assigned: 0 };
}

/** What becomes of a row. */
export interface RowOutcome {
  readonly row: SourceRow;
  done?: 'created' | 'updated' | 'unchanged';
  /** Why it is rejected. A row that is done is, too, where the router cannot run on its record. */
  problem?: string | undefined;
  /** Whether it has the key of an earlier row. */
  readonly isRepeated?: boolean;
  /** Fields whose values are left out, because they are bad. */
  skipped?: readonly string[];
  /** Whether the router has given the record to somebody; undefined where it has not run. */
  isAssigned?: boolean;
}

/** A row with a key, on the way to its record. */
export interface ImportedRow extends RowOutcome {
  readonly row: ReadRow;
  /** Its key as it is stored. */
  readonly stored: KeyValue;
  /** What it sets, but for values that are left out. */
  fields: Values;
  /** Why cells of other fields cannot be read. */
  readonly unread: readonly FieldError[];
  record: StoredRecord | undefined;
  /** Whether the router of the import has run on the record before. */
  isRouted: boolean;
  /** Fields with values that cannot be stored. */
  bad: readonly string[];
  /** What differs from the record; undefined for nothing. */
  changes?: Values | undefined;
  /** That of the record, once it is there. */
  id?: string;
}

/** Returns a row whose record is not looked for yet. */
export function begun(row: ReadRow, stored: KeyValue): ImportedRow {
  const { fields, unread = [] } = row;
  return { row, stored, fields, unread, record: undefined, isRouted: false, bad: [] };
}

/** Adds rows to the counts, but for their number. @param skipped how many values are left out, by field */
export function countRows(
  rows: readonly RowOutcome[],
  { counts, skipped }: { readonly counts: ImportCounts; readonly skipped: Map<string, number> },
): void {
  for (const { done, problem, isRepeated, isAssigned, skipped: fields = [] } of rows) {
    if (done !== undefined) counts[done] += 1;
    if (problem !== undefined) counts.rejected += 1;
    if (isRepeated === true) counts.repeated_keys += 1;
    if (isAssigned !== undefined) counts.dispatched += 1;
    if (isAssigned === true) counts.assigned += 1;
    for (const field of fields) skipped.set(field, (skipped.get(field) ?? 0) + 1);
  }
}

import type { ObjectType } from '../fields/object-type.js';
import { shownName } from '../text/shown-name.js';
import type { ImportCounts, MappedColumn } from '../transfer/index.js';
import { DONE_IN_PART, FOUND_CHANGES, table } from './command-output.js';

/** What an import prints. */
export interface Summary extends ImportCounts {
  readonly account: string;
  readonly object_type: ObjectType;
  readonly file: string;
  readonly dry_run: boolean;
  /** Whether all rows were read. */
  readonly finished: boolean;
  /** Of a dry run: what the columns become. */
  readonly mapping?: readonly MappedColumn[];
  /** Columns of which nothing is known. */
  readonly ignored: readonly string[];
  /** How many bad values are left out, by field. */
  readonly skipped_values: Readonly<Record<string, number>>;
  /** The first rows that are refused. */
  readonly errors: readonly { readonly line: number; readonly message: string }[];
  readonly errors_omitted: number;
}

/** Returns the exit code of an import (contract section 5). */
export function exitCodeOf({ dry_run, finished, rejected, created, updated, dispatched }: Summary): number {
  if (rejected > 0 || !finished) return DONE_IN_PART;
  return dry_run && created + updated + dispatched > 0 ? FOUND_CHANGES : 0;
}

/** Returns counts as one line. */
export function counted({ rows, created, updated, unchanged, rejected, dispatched }: ImportCounts): string {
  const done = `${rows} rows, ${created} created, ${updated} updated, ${unchanged} unchanged, ${rejected} rejected`;
  return dispatched > 0 ? `${done}, ${dispatched} dispatched` : done;
}

/** Returns the lines that an import prints. */
export function describe(
  summary: Summary,
  { rejects, router }: { readonly rejects?: string; readonly router?: string },
): string[] {
  const { dry_run: isDry, finished, assigned, repeated_keys: repeated, ignored, skipped_values } = summary;
  const skipped = Object.entries(skipped_values).map(([field, count]) => `${count} of ${field}`);
  return [
    `${isDry ? 'Dry run: ' : ''}${counted(summary)}`,
    repeated > 0 && `Of the rejected rows, ${repeated} ${repeated === 1 ? 'repeats' : 'repeat'} a key`,
    skipped.length > 0 && `Bad values left out: ${skipped.join(', ')}`,
    ignored.length > 0 && `Columns ignored: ${ignored.map(shownName).join(', ')}`,
    router !== undefined && !isDry && `${router} has given ${assigned} of them to somebody`,
    rejects !== undefined && summary.rejected > 0 && `The rejected rows are in ${rejects}`,
    !finished && 'The file was not read to its end. The same import goes on from there.',
  ].filter((line) => line !== false);
}

/** Returns the first rejected rows, a line each. */
export function shownErrors({ errors, errors_omitted: omitted }: Summary): string[] {
  const lines = errors.map(({ line, message }) => `Line ${line}: ${message}`);
  return omitted > 0 ? [...lines, `and ${omitted} more`] : lines;
}

const MOST_SHOWN = 40;

/** Returns what columns become as the text of a table. */
export function shownMapping(mapping: readonly MappedColumn[]): string {
  const rows = mapping.map(({ column, field, values }) => [
    shown(column ?? '(--set)'),
    field ?? '(ignored)',
    values.map((value) => (value === '' ? '(none)' : shown(value))).join(' | '),
  ]);
  return `${table(['column', 'field', 'values'], rows).join('\n')}\n\n`;
}

function shown(text: string): string {
  const name = shownName(text.replace(/\s+/g, ' '));
  return name.length > MOST_SHOWN ? `${name.slice(0, MOST_SHOWN - 1)}…` : name;
}

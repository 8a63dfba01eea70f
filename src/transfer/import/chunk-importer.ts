import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { DomainError } from '../../errors/domain-error.js';
import type { ObjectType } from '../../fields/index.js';
import { RecordMatcher, type Comparison, type StoredRecord } from '../../records/index.js';
import type { KeyedRow, ReadRow, Rejection, SourceRow } from '../rows/source-row.js';
import type { ImportCounts } from './import-counts.js';
import { PresentRecords } from './present-records.js';
import { RowRouter, type ImportRouter } from './row-router.js';
import { touchOf, waves } from './row-waves.js';
import { RowWriter, type RowToWrite } from './row-writer.js';

/** What an import is for. */
export interface ImportTarget {
  readonly objectType: ObjectType;
  /** The field by which records are found, or `id`. */
  readonly property: string;
  readonly router: ImportRouter | undefined;
  /** Writes nothing. */
  readonly dryRun: boolean;
}

/** What is known of the rows of a chunk. */
interface ChunkState {
  readonly counts: ImportCounts;
  readonly rejections: Rejection[];
}

/** Rows that are compared at once, and their records. */
interface Wave {
  readonly wave: readonly KeyedRow[];
  readonly present: PresentRecords;
}

/** A row, and what is to be done with it. */
interface PlannedRow {
  readonly row: KeyedRow;
  readonly record: StoredRecord | undefined;
  readonly comparison: Comparison;
}

/** Imports some rows: looks all their records up at once, and writes those that differ. */
@Injectable()
export class ChunkImporter {
  constructor(
    private readonly matcher: RecordMatcher,
    private readonly writer: RowWriter,
    private readonly router: RowRouter,
  ) {}

  /**
   * Imports rows, and counts them.
   * @returns those that are refused, in the order of the file
   * @throws what is no fault of a row; rows may be written by then
   */
  async take(
    client: ClientContext,
    target: ImportTarget,
    { rows, counts }: { readonly rows: readonly SourceRow[]; readonly counts: ImportCounts },
  ): Promise<readonly Rejection[]> {
    const state: ChunkState = { counts, rejections: [] };
    const read = rows.filter((row): row is ReadRow => {
      if (!('problem' in row)) return true;
      state.rejections.push({ row, message: row.problem });
      return false;
    });
    counts.rows += rows.length;
    await this.takeKeyed(client, target, { rows: await this.keyed(client, target, { read, state }), state });
    counts.rejected += state.rejections.length;
    return state.rejections.sort((a, b) => a.row.line - b.row.line);
  }

  private async keyed(
    client: ClientContext,
    { objectType, property }: ImportTarget,
    { read, state }: { readonly read: readonly ReadRow[]; readonly state: ChunkState },
  ): Promise<KeyedRow[]> {
    const keys = await this.matcher.keys(
      client,
      { objectType, property },
      read.map(({ key }) => key),
    );
    const unique = await this.matcher.uniqueKeys(client, objectType, read);
    return read.flatMap((row, index) => {
      const stored = keys[index];
      const touches = (unique[index] ?? []).map(touchOf);
      if (stored !== undefined && !(stored instanceof DomainError)) return [{ ...row, stored, touches }];
      state.rejections.push({ row, message: stored?.message ?? '' });
      return [];
    });
  }

  /** Takes rows wave by wave. The first one is of records that are read for all rows. */
  private async takeKeyed(
    client: ClientContext,
    target: ImportTarget,
    { rows, state }: { readonly rows: readonly KeyedRow[]; readonly state: ChunkState },
  ): Promise<void> {
    if (rows.length === 0) return;
    let present = await this.present(client, target, rows);
    for (const [index, wave] of waves(rows, (row) => present.touchedBy(row)).entries()) {
      if (index > 0 && !target.dryRun) present = await this.present(client, target, wave);
      await this.takeWave(client, target, { wave, present, state });
    }
  }

  private async takeWave(
    client: ClientContext,
    target: ImportTarget,
    { wave, present, state }: Wave & { readonly state: ChunkState },
  ): Promise<void> {
    const planned = (await this.plan(client, target, { wave, present })).filter(({ row, comparison }) => {
      if (comparison.kind !== 'refused') return true;
      state.rejections.push({ row, message: reason(comparison.error) });
      return false;
    });
    const ids = target.dryRun
      ? imagined(planned, { present, state })
      : await this.write(client, target, { planned, state });
    if (target.router === undefined) return;
    const due = [...ids].filter(([row]) => !present.isRouted(row));
    if (!target.dryRun) return this.route(client, target.router, { due, state });
    for (const [row] of due) present.imagineRouted(row);
    state.counts.dispatched += due.length;
  }

  private async present(
    client: ClientContext,
    { objectType, property, router }: ImportTarget,
    rows: readonly KeyedRow[],
  ): Promise<PresentRecords> {
    const values = [...new Set(rows.map(({ stored }) => stored.value))];
    const names = new Set(rows.flatMap(({ fields }) => Object.keys(fields)));
    const records = await this.matcher.find(client, { objectType, property, values, names });
    const ids = [...records.values()].map(({ id }) => id);
    const routed = router === undefined ? new Set<string>() : await this.router.hasRunOn(client, router, ids);
    return new PresentRecords(objectType, records, routed);
  }

  private async plan(
    client: ClientContext,
    { objectType, property, router }: ImportTarget,
    { wave, present }: Wave,
  ): Promise<PlannedRow[]> {
    const matched = wave.map((row) => {
      // The owner is what the router has made it, however often the file is imported.
      const isRouted = router !== undefined && present.isRouted(row);
      const fields = isRouted ? without(row.fields, router.ownerField) : row.fields;
      return { row, record: present.of(row), fields };
    });
    const comparisons = await this.matcher.compare(client, objectType, matched);
    return matched.map(({ row, record, fields }, index) => {
      const comparison = comparisons[index] ?? { kind: 'same' };
      const isUnknown = property === 'id' && record === undefined;
      return {
        row: { ...row, fields },
        record,
        comparison: isUnknown ? { kind: 'refused', error: noSuchId(objectType) } : comparison,
      };
    });
  }

  /** Writes what differs. @returns the ids of the records of the rows, in their order */
  private async write(
    client: ClientContext,
    { objectType }: ImportTarget,
    { planned, state }: { readonly planned: readonly PlannedRow[]; readonly state: ChunkState },
  ): Promise<Map<KeyedRow, string>> {
    const toWrite = planned.flatMap(({ row, record, comparison }): (RowToWrite & { row: KeyedRow })[] =>
      'fields' in comparison
        ? [{ row, key: row.stored, id: record?.id, fields: comparison.fields, whole: row.fields }]
        : [],
    );
    const results = await this.writer.write(client, objectType, toWrite);
    const written = new Map(toWrite.map(({ row }, index) => [row, results[index]]));
    const ids = new Map<KeyedRow, string>();
    for (const { row, record } of planned) {
      const result = written.get(row);
      if (result === undefined) {
        state.counts.unchanged += 1;
        if (record !== undefined) ids.set(row, record.id);
      } else if ('refused' in result) state.rejections.push({ row, message: reason(result.refused) });
      else {
        state.counts[result.created ? 'created' : 'updated'] += 1;
        ids.set(row, result.id);
      }
    }
    return ids;
  }

  private async route(
    client: ClientContext,
    router: ImportRouter,
    { due, state }: { readonly due: readonly (readonly [KeyedRow, string])[]; readonly state: ChunkState },
  ): Promise<void> {
    const results = await this.router.run(
      client,
      router,
      due.map(([, id]) => id),
    );
    for (const [row, id] of due) {
      const result = results.get(id);
      if (result === undefined) continue;
      if ('refused' in result) state.rejections.push({ row, message: result.refused });
      else state.counts.dispatched += 1;
      if ('assigned' in result && result.assigned) state.counts.assigned += 1;
    }
  }
}

/**
 * Counts what would be written, and keeps it for later rows.
 * @returns the ids of the records of the rows; an empty text for new ones
 */
function imagined(
  planned: readonly PlannedRow[],
  { present, state }: { readonly present: PresentRecords; readonly state: ChunkState },
): Map<KeyedRow, string> {
  for (const { row, comparison } of planned) {
    if ('changes' in comparison) {
      state.counts[comparison.kind === 'create' ? 'created' : 'updated'] += 1;
      present.imagine(row, comparison.changes);
    } else state.counts.unchanged += 1;
  }
  return new Map(planned.map(({ row, record }) => [row, record?.id ?? '']));
}

function without(
  fields: Readonly<Record<string, unknown>>,
  property: string,
): Readonly<Record<string, unknown>> {
  const { [property]: _, ...others } = fields;
  return others;
}

function reason({ message, details: { errors = [], omitted = 0 } }: DomainError): string {
  if (errors.length === 0) return message;
  const more = omitted > 0 ? `; and ${omitted} more` : '';
  return `${errors.map((error) => error.message).join('; ')}${more}`;
}

function noSuchId(objectType: ObjectType): DomainError {
  return new DomainError('not_found', `No active record of ${objectType} has this id`);
}

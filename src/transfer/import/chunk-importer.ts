import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { Database, type Transaction } from '../../database/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { BulkWriter, RecordMatcher } from '../../records/index.js';
import type { ReadRow, Rejection, SourceRow } from '../rows/source-row.js';
import { compareRows, reasonOf, without } from './compare-rows.js';
import {
  begun,
  countRows,
  type Import,
  type ImportCounts,
  type ImportedRow,
  type ImportTarget,
  type RowOutcome,
} from './imported-row.js';
import { RowRouter } from './row-router.js';
import type { SeenKeys } from './seen-keys.js';

/** Some rows of a file, and what is known of all rows so far. */
interface TakenRows {
  readonly rows: readonly SourceRow[];
  readonly counts: ImportCounts;
  /** Undefined where rows may repeat the key of an earlier one: the later one wins. */
  readonly seen?: SeenKeys;
  /** How many values are left out, by field. */
  readonly skipped?: Map<string, number>;
}

/** Imports some rows: looks all their records up at once, and writes those that differ. */
@Injectable()
export class ChunkImporter {
  constructor(
    private readonly database: Database,
    private readonly matcher: RecordMatcher,
    private readonly bulk: BulkWriter,
    private readonly router: RowRouter,
  ) {}

  /**
   * Imports rows, and counts them.
   * @returns those that are refused, in the order of the file
   * @throws what is no fault of a row; rows may be written by then, and are counted
   */
  async take(client: ClientContext, target: ImportTarget, taken: TakenRows): Promise<Rejection[]> {
    const { rows, counts, seen, skipped = new Map<string, number>() } = taken;
    counts.rows += rows.length;
    const refused: RowOutcome[] = [];
    const read: ReadRow[] = [];
    for (const row of rows) {
      if ('problem' in row) refused.push({ row, problem: row.problem });
      else read.push(row);
    }
    let keyed: ImportedRow[] = [];
    for (const { row, stored } of await this.matcher.keys(client, target, read)) {
      const earlier = stored instanceof DomainError ? undefined : seen?.add(stored.value, row.line);
      if (stored instanceof DomainError) refused.push({ row, problem: stored.message });
      else if (earlier === undefined) keyed.push(begun(row, stored));
      else {
        const problem = `Line ${earlier} has this ${target.property} already`;
        refused.push({ row, problem, isRepeated: true });
      }
    }
    try {
      if (target.dryRun) keyed = await this.rehearse({ client, target }, keyed);
      else await this.import({ client, target }, keyed);
    } finally {
      countRows([...refused, ...keyed], { counts, skipped });
    }
    return [...refused, ...keyed]
      .flatMap(({ row, problem }) => (problem === undefined ? [] : [{ row, message: problem }]))
      .sort((a, b) => a.row.line - b.row.line);
  }

  /** Imports rows in a transaction that is rolled back, and may run again before. */
  private rehearse({ client, target }: Import, keyed: readonly ImportedRow[]): Promise<ImportedRow[]> {
    const rehearsal = async (transaction: Transaction): Promise<ImportedRow[]> => {
      const rows = keyed.map(({ row, stored }) => begun(row, stored));
      await this.import({ client: { ...client, transaction }, target }, rows);
      return rows;
    };
    return this.database.for(client).transaction(rehearsal, { long: true, dryRun: true });
  }

  private async import(of: Import, rows: readonly ImportedRow[]): Promise<void> {
    for (const some of withoutRepetition(rows)) {
      await this.match(of, some);
      await compareRows(this.matcher, of, accepted(some));
      await this.write(of, accepted(some));
      await this.route(of, some);
    }
  }

  /** Finds the records of rows, no two of which have the same key. */
  private async match({ client, target }: Import, rows: readonly ImportedRow[]): Promise<void> {
    const { objectType, property, router } = target;
    const values = rows.map(({ stored }) => stored.value);
    const names = new Set(rows.flatMap(({ fields }) => Object.keys(fields)));
    const records = await this.matcher.find(client, { objectType, property, values, names });
    const ids = [...records.values()].map(({ id }) => id);
    const routed = router === undefined ? undefined : await this.router.hasRunOn(client, router, ids);
    for (const row of rows) {
      row.record = records.get(row.stored.value);
      row.isRouted = row.record !== undefined && routed?.has(row.record.id) === true;
      // The owner is what the router has made it, however often the file is imported.
      if (row.isRouted && router !== undefined) row.fields = without(row.fields, [router.ownerField]);
      if (property === 'id' && row.record === undefined)
        row.problem = `No active record of ${objectType} has this id`;
    }
  }

  /** Writes what differs, in one transaction. */
  private async write({ client, target }: Import, rows: readonly ImportedRow[]): Promise<void> {
    const { objectType, property } = target;
    const differing = rows.filter(({ changes }) => changes !== undefined);
    for (const row of rows) {
      if (row.changes === undefined) Object.assign(row, { done: 'unchanged', id: row.record?.id });
    }
    if (differing.length === 0) return;
    const inputs = differing.map(({ row, stored, fields, record, changes }) => ({
      // A new record has the key as it is written, not as it is compared.
      id: property === 'id' ? stored.value : String(row.key),
      fields: changes,
      fieldsIfNew: fields,
      onlyForId: record?.id,
    }));
    const named =
      property === 'id' ? ({ action: 'update' } as const) : ({ action: 'upsert', property } as const);
    const writes = { objectType, ...named, inputs, selection: {} };
    const write = (transaction: Transaction) => this.bulk.write({ ...client, transaction }, writes);
    // It takes as long as the rows take: nobody waits for an answer.
    const results = await this.database.for(client).transaction(write, { long: true });
    for (const [index, row] of differing.entries()) {
      const result = results[index];
      if (result === undefined) continue;
      if ('error' in result) row.problem = reasonOf(result.error);
      else {
        row.done = result.status === 201 ? 'created' : 'updated';
        row.id = String(result.record['id']);
      }
    }
  }

  /** Runs the router on records on which it has not run. */
  private async route({ client, target }: Import, rows: readonly ImportedRow[]): Promise<void> {
    const { router, dryRun } = target;
    if (router === undefined) return;
    const due = rows.filter((row) => row.id !== undefined && !row.isRouted);
    const ids = due.map(({ id = '' }) => id);
    const results = dryRun ? undefined : await this.router.run(client, router, ids);
    for (const row of due) {
      const result = results === undefined ? { assigned: false } : results.get(row.id ?? '');
      if (result === undefined) continue;
      if ('refused' in result) row.problem = result.refused;
      else row.isAssigned = result.assigned;
    }
  }
}

const accepted = (rows: readonly ImportedRow[]): readonly ImportedRow[] =>
  rows.filter(({ problem }) => problem === undefined);

/**
 * Divides rows before each that has the key of an earlier one: it is compared with what that one has written.
 * Keys that rows take from each other are no matter of theirs: they are written as if one by one.
 */
function withoutRepetition(rows: readonly ImportedRow[]): ImportedRow[][] {
  const divided: ImportedRow[][] = [];
  let keys = new Set<string>();
  for (const row of rows) {
    if (keys.size === 0 || keys.has(row.stored.value)) {
      divided.push([]);
      keys = new Set();
    }
    divided.at(-1)?.push(row);
    keys.add(row.stored.value);
  }
  return divided;
}

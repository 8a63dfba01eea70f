import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { Database, type Transaction } from '../../database/index.js';
import { DomainError } from '../../errors/domain-error.js';
import type { ObjectType } from '../../fields/index.js';
import { BulkWriter, RecordMatcher } from '../../records/index.js';
import type { KeyedRow, ReadRow, Rejection, SourceRow } from '../rows/source-row.js';
import { comparedRows, reasonOf, without, type ComparedRow, type MatchedRow } from './compared-rows.js';
import { RowRouter, type ImportRouter } from './row-router.js';
import type { SeenKeys } from './seen-keys.js';

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

/** What an import has done so far. In a dry run: what it would do. */
export interface ImportCounts {
  /** Rows that were read. */
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
  /** Those of them that have the key of an earlier row. */
  repeated_keys: number;
  /** Records on which the router has run. */
  dispatched: number;
  /** Those of them that it has given to somebody. */
  assigned: number;
}

/** Returns the counts of an import that begins. */
export function noCounts(): ImportCounts {
  const counts = { rows: 0, created: 0, updated: 0, unchanged: 0, rejected: 0, repeated_keys: 0 };
  return { ...counts, dispatched: 0, assigned: 0 };
}

/** Some rows of a file, and what is known of all rows so far. */
interface TakenRows {
  readonly rows: readonly SourceRow[];
  readonly counts: ImportCounts;
  /** Undefined where rows may repeat the key of an earlier one: the later one wins. */
  readonly seen?: SeenKeys;
  /** How many values are left out, by field. */
  readonly skipped?: Map<string, number>;
}

/** On whose behalf rows are taken and for what, and what has become of them. */
interface Chunk {
  readonly client: ClientContext;
  readonly target: ImportTarget;
  readonly counts: ImportCounts;
  readonly rejections: Rejection[];
  /** The field of each value that is left out. */
  readonly skipped: string[];
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
   * @throws what is no fault of a row; rows may be written by then
   */
  async take(
    client: ClientContext,
    target: ImportTarget,
    { rows, counts, seen, skipped = new Map() }: TakenRows,
  ): Promise<readonly Rejection[]> {
    const rejections: Rejection[] = [];
    const read = rows.filter((row): row is ReadRow => {
      if (!('problem' in row)) return true;
      rejections.push({ row, message: row.problem });
      return false;
    });
    counts.rows += rows.length;
    const keyed: KeyedRow[] = [];
    for (const { row, stored } of await this.matcher.keys(client, target, read)) {
      const earlier = stored instanceof DomainError ? undefined : seen?.add(stored.value, row.line);
      if (stored instanceof DomainError) rejections.push({ row, message: stored.message });
      else if (earlier === undefined) keyed.push({ ...row, stored });
      else {
        rejections.push({ row, message: `Line ${earlier} has this ${target.property} already` });
        counts.repeated_keys += 1;
      }
    }
    const chunk = { client, target, counts, rejections, skipped: [] };
    await (target.dryRun ? this.rehearse(chunk, keyed) : this.takeKeyed(chunk, keyed));
    for (const field of chunk.skipped) skipped.set(field, (skipped.get(field) ?? 0) + 1);
    counts.rejected += rejections.length;
    return rejections.sort((a, b) => a.row.line - b.row.line);
  }

  /** Takes rows in a transaction that is rolled back, and may run again before. */
  private async rehearse(chunk: Chunk, rows: readonly KeyedRow[]): Promise<void> {
    const { client, counts, rejections, skipped } = chunk;
    const rehearsal = async (transaction: Transaction): Promise<Chunk> => {
      const empty = { counts: noCounts(), rejections: [], skipped: [] };
      const taken = { ...chunk, ...empty, client: { ...client, transaction } };
      await this.takeKeyed(taken, rows);
      return taken;
    };
    const taken = await this.database.for(client).transaction(rehearsal, { long: true, dryRun: true });
    for (const name of Object.keys(counts) as (keyof ImportCounts)[]) counts[name] += taken.counts[name];
    rejections.push(...taken.rejections);
    skipped.push(...taken.skipped);
  }

  private async takeKeyed(chunk: Chunk, rows: readonly KeyedRow[]): Promise<void> {
    for (const some of withoutRepetition(rows)) {
      const matched = await this.matched(chunk, some);
      const ids = await this.write(chunk, await this.compare(chunk, matched));
      const { router, dryRun } = chunk.target;
      if (router === undefined) continue;
      const due = [...ids].filter(([row]) => !row.isRouted);
      if (dryRun) chunk.counts.dispatched += due.length;
      else await this.route(chunk, router, due);
    }
  }

  /** Finds the records of rows, no two of which have the same key. */
  private async matched(
    { client, target: { objectType, property, router } }: Chunk,
    rows: readonly KeyedRow[],
  ): Promise<MatchedRow[]> {
    const values = rows.map(({ stored }) => stored.value);
    const names = new Set(rows.flatMap(({ fields }) => Object.keys(fields)));
    const records = await this.matcher.find(client, { objectType, property, values, names });
    const ids = [...records.values()].map(({ id }) => id);
    const routed = router === undefined ? NONE : await this.router.hasRunOn(client, router, ids);
    return rows.map((row) => {
      const record = records.get(row.stored.value);
      if (router === undefined || record === undefined || !routed.has(record.id))
        return { ...row, record, isRouted: false };
      // The owner is what the router has made it, however often the file is imported.
      return { ...row, fields: without(row.fields, router.ownerField), record, isRouted: true };
    });
  }

  /** Compares rows with their records. Those that cannot be written are rejected. */
  private async compare(
    { client, target, rejections, skipped }: Chunk,
    matched: readonly MatchedRow[],
  ): Promise<ComparedRow[]> {
    const { objectType, property, skipInvalid = NONE } = target;
    const by = { matcher: this.matcher, client };
    const compared = await comparedRows(by, { objectType, skipInvalid, property }, matched);
    return compared.filter(({ row, problem, skipped: left = [] }) => {
      const isMissing = property === 'id' && row.record === undefined;
      const message = isMissing ? `No active record of ${objectType} has this id` : problem;
      if (message === undefined) skipped.push(...left);
      else rejections.push({ row, message });
      return message === undefined;
    });
  }

  /** Writes what differs, in one transaction. @returns the ids of the records of the rows, in their order */
  private async write(
    { client, target: { objectType, property }, counts, rejections }: Chunk,
    compared: readonly ComparedRow[],
  ): Promise<Map<MatchedRow, string>> {
    const inputs = compared.flatMap(({ row: { stored, key, fields, record }, differing }) => {
      if (differing === undefined) return [];
      // A new record has the key as it is written, not as it is compared.
      const id = property === 'id' ? stored.value : String(key);
      return [{ id, fields: differing, fieldsIfNew: fields, onlyForId: record?.id }];
    });
    const named =
      property === 'id' ? ({ action: 'update' } as const) : ({ action: 'upsert', property } as const);
    const writes = { objectType, ...named, inputs, selection: {} };
    // It takes as long as the rows take: nobody waits for an answer.
    const written =
      inputs.length === 0
        ? []
        : await this.database
            .for(client)
            .transaction((transaction) => this.bulk.write({ ...client, transaction }, writes), {
              long: true,
            });
    const results = written.values();
    const ids = new Map<MatchedRow, string>();
    for (const { row, differing } of compared) {
      const result = differing === undefined ? undefined : results.next().value;
      if (result === undefined) {
        counts.unchanged += 1;
        if (row.record !== undefined) ids.set(row, row.record.id);
      } else if ('error' in result) rejections.push({ row, message: reasonOf(result.error) });
      else {
        counts[result.status === 201 ? 'created' : 'updated'] += 1;
        ids.set(row, String(result.record['id']));
      }
    }
    return ids;
  }

  private async route(
    { client, counts, rejections }: Chunk,
    router: ImportRouter,
    due: readonly (readonly [MatchedRow, string])[],
  ): Promise<void> {
    const ids = due.map(([, id]) => id);
    const results = await this.router.run(client, router, ids);
    for (const [row, id] of due) {
      const result = results.get(id);
      if (result === undefined) continue;
      if ('refused' in result) rejections.push({ row, message: result.refused });
      else counts.dispatched += 1;
      if ('assigned' in result && result.assigned) counts.assigned += 1;
    }
  }
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Divides rows before each that has the key of an earlier one: it is compared with what that one has written.
 * Keys that rows take from each other are no matter of theirs: they are written as if one by one.
 */
function withoutRepetition(rows: readonly KeyedRow[]): KeyedRow[][] {
  const divided: KeyedRow[][] = [];
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

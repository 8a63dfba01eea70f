import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Queryable } from '../../database/index.js';
import { fittingRows, PAGE_BYTES } from '../../paging/index.js';
import type { Renamed } from '../record-view.js';
import type { RecordKey } from '../records.repository.js';
import type { ChangePlace } from './change-cursor.js';
import { DROP_CHANGES, LIST_CHANGES } from './history.statements.js';

/** A change of one field, as it is stored. */
export interface ChangeRow {
  readonly field: string;
  readonly from: string | boolean | null;
  readonly to: string | boolean | null;
  readonly at: Date;
  /** Microseconds of `at` since 1970. */
  readonly us: string;
  readonly by_kind: string;
  readonly by_id: string | null;
  readonly by_name: string | null;
  readonly assignment_id: string | null;
  readonly request_id: string | null;
}

/** Which changes of a record a page has. */
export interface HistoryRange {
  /** Changes of other fields are not shown. */
  readonly fields: readonly string[];
  /** The change behind which it starts. */
  readonly behind: ChangePlace | undefined;
  /** Changes before it are not shown. */
  readonly since: Date | undefined;
  readonly limit: number;
}

/** A page of changes. */
export interface ChangePage {
  readonly rows: readonly ChangeRow[];
  readonly more: boolean;
  readonly renamed: Renamed;
}

type Row = { [Key in keyof ChangeRow]: ChangeRow[Key] | null } & { readonly renamed: Renamed };

/** The most bytes that a change has in the answer, its values apart. */
const BYTES_PER_CHANGE = 1024;

/** Reads and deletes changes of records. A trigger writes them. */
@Injectable()
export class RecordHistoryRepository {
  /**
   * Returns one page of changes of a record, newest first, those of one instant by their fields. It ends
   * early where its values would exceed PAGE_BYTES.
   * @returns undefined where there is no such record
   */
  async list(
    db: Queryable,
    { accountId }: AccountContext,
    { objectType, id, fields, behind, since, limit }: RecordKey & HistoryRange,
  ): Promise<ChangePage | undefined> {
    const place = [behind?.us ?? null, behind?.field ?? null];
    const bounds = [since ?? null, limit + 1, PAGE_BYTES];
    const values = [accountId, objectType, id, fields, ...place, ...bounds];
    const found = await db.query<Row>(LIST_CHANGES, values);
    if (found.length === 0) return undefined;
    const changes = found.filter((row): row is ChangeRow & Row => row.field !== null);
    const rows = fittingRows(changes, bytesOf).slice(0, limit);
    return { rows, more: rows.length < changes.length, renamed: found[0]?.renamed };
  }

  /** Deletes changes before an instant. @returns how many */
  async drop(db: Queryable, before: Date, limit: number): Promise<number> {
    return (await db.query(DROP_CHANGES, [before, limit])).length;
  }
}

function bytesOf({ from, to }: ChangeRow): number {
  return BYTES_PER_CHANGE + Buffer.byteLength(JSON.stringify([from, to]));
}

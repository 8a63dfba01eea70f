import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import type { Queryable, Transaction } from '../database/index.js';
import { StoredNames, type LimitWindows } from '../directory/index.js';
import type { ObjectType } from '../fields/index.js';
import type { PageRange } from '../paging/index.js';
import { COUNT_ASSIGNED, COUNTED_SPANS } from './assignments.count-statements.js';
import { leastIdOf } from './least-id.js';
import { leastEntryOf, liesIn, likelyRange, wholeRange, type LogRange } from './log-range.js';
import { listAssignments, type AssignmentFilter } from './assignments.list-statements.js';
import {
  DROP_TRACES,
  FIND_ASSIGNMENT,
  FIND_RUN_ON,
  LOCK_IMPORT,
  PLAN_ONCE,
} from './assignments.statements.js';

export type { AssignmentFilter } from './assignments.list-statements.js';

/** Values by which the assignment log is filtered. */
export type AssignmentFilters = ReadonlyMap<AssignmentFilter, string>;

/** Numbers of assignments of one user in the windows of the user's limits. */
export type AssignedCounts = Readonly<Record<'hour' | 'day' | 'week' | 'month', number>>;

/** Selects a page of the log. */
export interface LogPage extends PageRange {
  readonly filters: AssignmentFilters;
  /** Id of the entry behind which the page starts; undefined where it starts at the offset. */
  readonly behind: string | undefined;
}

/** Selects the traces to drop. */
export interface TraceRange {
  /** The least id. */
  readonly from: string;
  /** The first id that keeps its trace. */
  readonly before: string;
  /** Most traces to drop at once. */
  readonly limit: number;
}

/** The number of all that match, and the ids that it and the page need: see `listAssignments`. */
interface Listed extends Named {
  readonly count: number;
  readonly counted_from: string;
  readonly from: string;
  readonly to: string;
}

/** What an entry is read with. */
interface Named {
  /** The e-mails by stored name of users whose e-mail has changed; null for none. */
  readonly renamed: Readonly<Record<string, string>> | null;
}

/** No assignments in any window. */
export const NOTHING_ASSIGNED: AssignedCounts = { hour: 0, day: 0, week: 0, month: 0 };

/** An assignment, with the e-mails that its users have now. */
export interface AssignmentRow {
  readonly id: string;
  readonly router_id: string;
  readonly router_version: number | null;
  readonly object_id: string;
  readonly object_type: ObjectType;
  readonly user_email: string | null;
  readonly previous_user: string | null;
  readonly reason: string;
  readonly message: string;
  readonly created_at: Date;
}

/** The assignment log. It has one assignment for each time that a router ran on a record. */
@Injectable()
export class AssignmentsRepository {
  /**
   * Returns one page, newest first, and the count of all that match.
   * @param db a transaction, in which the statement need not be planned each time
   */
  async list(
    db: Queryable,
    { accountId }: AccountContext,
    { filters, limit, offset, behind }: LogPage,
  ): Promise<{ rows: AssignmentRow[]; count: number; more: boolean }> {
    const statement = listAssignments([...filters.keys()], behind === undefined ? 'offset' : 'after');
    // Only the count says whether rows follow an offset. Behind an entry, one row more says so.
    const most = behind === undefined ? limit : limit + 1;
    const read = ({ counted, from, to }: LogRange): Promise<ListedRow[]> => {
      const start = behind === undefined ? [offset] : [];
      return db.query(statement, [accountId, most, counted, from, to, ...start, ...filters.values()]);
    };
    let range = likelyRange({ object: filters.get('object'), behind }, Date.now());
    // They travel together.
    let [, found] = await Promise.all([db.query(PLAN_ONCE, []), read(range)]);
    for (const again of [neededRange, () => wholeRange({ behind })]) {
      if (liesIn(neededRange(found), range)) break;
      range = again(found);
      found = await read(range);
    }
    const count = found[0]?.count ?? 0;
    const all = found.filter(isAssignment);
    const more = behind === undefined ? offset + all.length < count : all.length > limit;
    const names = StoredNames.from(found[0]?.renamed);
    const rows = all.slice(0, limit).map((row) => shownRow(withoutRange(row), names));
    return { rows, count, more };
  }

  /** Returns one assignment with its trace. */
  async find(
    db: Queryable,
    { accountId }: AccountContext,
    id: string,
  ): Promise<(AssignmentRow & { trace: unknown }) | undefined> {
    const [found] = await db.query<AssignmentRow & Named & { trace: unknown }>(FIND_ASSIGNMENT, [
      accountId,
      id,
    ]);
    if (found === undefined) return undefined;
    const { renamed, ...row } = found;
    return shownRow(row, StoredNames.from(renamed));
  }

  /** Returns the ids of those records on which a router has run, as the log says that there is. */
  async runOn(
    db: Queryable,
    { accountId }: AccountContext,
    { routerId, objectIds }: { readonly routerId: string; readonly objectIds: readonly string[] },
  ): Promise<ReadonlySet<string>> {
    if (objectIds.length === 0) return new Set();
    const values = [accountId, routerId, objectIds, leastEntryOf(objectIds)];
    const rows = await db.query<{ id: string }>(FIND_RUN_ON, values);
    return new Set(rows.map(({ id }) => id));
  }

  /** Waits until no other import looks for records on which a router has not run; others wait then. */
  async lockImport(tx: Transaction, { accountId }: AccountContext, routerId: string): Promise<void> {
    await tx.query(LOCK_IMPORT, [accountId, routerId]);
  }

  /** Drops the traces of a range of assignments. @returns the ids of those that had one, in order */
  async dropTraces(
    db: Queryable,
    { accountId }: AccountContext,
    { from, before, limit }: TraceRange,
  ): Promise<string[]> {
    const rows = await db.query<{ id: string }>(DROP_TRACES, [accountId, from, before, limit]);
    return rows.map(({ id }) => id).sort();
  }

  /**
   * Counts assignments by any router since the starts of each user's windows, without those returned.
   * @param windows by stored name, those to count
   * @param until counts nothing later; null counts all that is committed
   * @returns the counts by stored name; 0 in windows that are not given
   */
  async countAssigned(
    db: Queryable,
    { accountId }: AccountContext,
    {
      windows,
      until,
    }: { readonly windows: ReadonlyMap<string, Partial<LimitWindows>>; readonly until: Date | null },
  ): Promise<ReadonlyMap<string, AssignedCounts>> {
    const later = until === null ? null : justAfter(until);
    const rows = await db.query<{ email: string; span: string; count: number }>(COUNT_ASSIGNED, [
      accountId,
      [...windows.keys()],
      ...COUNTED_SPANS.map((span) =>
        [...windows.values()].map((starts) => (span === 'later' ? later : (starts[span] ?? null))),
      ),
      until,
      leastCounted([...windows.values()]),
    ]);
    const counts = new Map<string, Record<string, number>>();
    for (const { email, span, count } of rows) counts.set(email, { ...counts.get(email), [span]: count });
    return new Map([...counts].map(([email, counted]) => [email, withoutLater(counted)]));
  }
}

/** A row of a page. One without an id says that there is none. */
type ListedRow = Listed & (AssignmentRow | { readonly id: null });

function isAssignment(row: ListedRow): row is Listed & AssignmentRow {
  return row.id !== null;
}

function withoutRange({
  count: _,
  counted_from: __,
  from: ___,
  to: ____,
  renamed: _____,
  ...row
}: Listed & AssignmentRow): AssignmentRow {
  return row;
}

/** Returns the range of ids that a page needs. */
function neededRange([first]: readonly ListedRow[]): LogRange {
  if (first === undefined) throw new Error('A page of the log has no row');
  return { counted: first.counted_from, from: first.from, to: first.to };
}

/** The least id of an entry that counts in one of the windows. */
function leastCounted(windows: readonly Partial<LimitWindows>[]): string {
  return leastIdOf(Math.min(...windows.flatMap((starts) => Object.values(starts).map(Number)), Date.now()));
}

/** The instant a microsecond later: the next one that the database knows. */
function justAfter(instant: Date): string {
  return instant.toISOString().replace('Z', '001Z');
}

/** Subtracts what is later than the end from each count. */
function withoutLater({ later = 0, ...counts }: Record<string, number>): AssignedCounts {
  const left = Object.entries(counts).map(([span, count]) => [span, count - later]);
  return { ...NOTHING_ASSIGNED, ...(Object.fromEntries(left) as Partial<AssignedCounts>) };
}

/** Returns an entry with e-mails in place of stored names. */
function shownRow<Row extends AssignmentRow>(row: Row, names: StoredNames): Row {
  if (names.isEmpty) return row;
  const shown = (stored: string | null): string | null => (stored === null ? null : names.emailOf(stored));
  return { ...row, user_email: shown(row.user_email), previous_user: shown(row.previous_user) };
}

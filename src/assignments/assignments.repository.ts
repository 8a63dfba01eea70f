import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import { firstIdAt, type Queryable, type Transaction } from '../database/index.js';
import type { LimitWindows } from '../directory/index.js';
import type { ObjectType } from '../fields/index.js';
import type { PageRange } from '../http/index.js';
import {
  COUNT_ASSIGNED,
  DROP_TRACES,
  FIND_ASSIGNMENT,
  FIND_LAST_TURN,
  listAssignments,
  MARK_TURN_RETURNED,
  type AssignmentFilter,
} from './assignments.statements.js';

export type { AssignmentFilter } from './assignments.statements.js';

/** Values by which the assignment log is filtered. */
export type AssignmentFilters = ReadonlyMap<AssignmentFilter, string>;

/** Numbers of assignments of one user in the windows of the user's limits. */
export type AssignedCounts = Readonly<Record<'hour' | 'day' | 'week' | 'month', number>>;

/** Selects the traces to drop. */
export interface TraceRange {
  /** The least id. */
  readonly from: string;
  /** The first id that keeps its trace. */
  readonly before: string;
  /** Most traces to drop at once. */
  readonly limit: number;
}

/** The last assignment of a record by certain routers whose turn has not been returned. */
export interface LastTurn {
  readonly id: string;
  readonly routerId: string;
  /** E-mail of the user who got the record. */
  readonly user: string;
  /** The key of the rotation that gave the turn. */
  readonly rotationKey: string;
  /** The key of the team that took the turn; null when a user took it. */
  readonly team: string | null;
  readonly at: Date;
}

/** An assignment as the database returns it. */
export interface AssignmentRow {
  readonly id: string;
  readonly router_id: string;
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
  /** Returns one page, newest first, and the count of all that match. */
  async list(
    db: Queryable,
    { accountId }: AccountContext,
    { filters, limit, offset }: PageRange & { readonly filters: AssignmentFilters },
  ): Promise<{ rows: AssignmentRow[]; count: number }> {
    const values = [accountId, limit, offset, ...filters.values()];
    const rows = await db.query<AssignmentRow & { count: number }>(
      listAssignments([...filters.keys()]),
      values,
    );
    const [first] = rows as ((AssignmentRow | { id: null }) & { count: number })[];
    return { rows: first?.id == null ? [] : rows, count: first?.count ?? 0 };
  }

  /** Returns one assignment with its trace. */
  async find(
    db: Queryable,
    { accountId }: AccountContext,
    id: string,
  ): Promise<(AssignmentRow & { trace: unknown }) | undefined> {
    const [row] = await db.query<AssignmentRow & { trace: unknown }>(FIND_ASSIGNMENT, [accountId, id]);
    return row;
  }

  /** Drops the traces of a range of assignments. @returns the ids of those that had one, in order */
  async dropTraces(
    db: Queryable,
    { accountId }: AccountContext,
    { from, before, limit }: TraceRange,
  ): Promise<string[]> {
    // To drop them again does nothing.
    const find = (): Promise<undefined> => Promise.resolve(undefined);
    const rows = await db.query<{ id: string }>(DROP_TRACES, [accountId, from, before, limit], find);
    return rows.map(({ id }) => id).sort();
  }

  /**
   * Counts assignments by any router since the starts of each user's windows.
   * @param windows by e-mail
   * @param until counts nothing later; null counts all that is committed
   * @returns the counts by e-mail; a user without assignments is missing
   */
  async countAssigned(
    db: Queryable,
    { accountId }: AccountContext,
    { windows, until }: { readonly windows: ReadonlyMap<string, LimitWindows>; readonly until: Date | null },
  ): Promise<ReadonlyMap<string, AssignedCounts>> {
    const spans = [...windows.values()];
    const rows = await db.query<AssignedCounts & { email: string }>(COUNT_ASSIGNED, [
      accountId,
      [...windows.keys()],
      spans.map(({ hour }) => hour),
      spans.map(({ day }) => day),
      spans.map(({ week }) => week),
      spans.map(({ month }) => month),
      spans.map(({ hour, day, week, month }) =>
        firstIdAt(new Date(Math.min(hour.getTime(), day.getTime(), week.getTime(), month.getTime()))),
      ),
      until,
    ]);
    return new Map(rows.map(({ email, ...counts }) => [email, counts]));
  }

  /** Finds the last turn by which one of the routers assigned the record to somebody. */
  async findLastTurn(
    db: Queryable,
    { accountId }: AccountContext,
    { objectId, routerIds }: { readonly objectId: string; readonly routerIds: readonly string[] },
  ): Promise<LastTurn | undefined> {
    const [row] = await db.query<LastTurn>(FIND_LAST_TURN, [accountId, objectId, routerIds]);
    return row;
  }

  /** Marks the turn of an assignment as returned. @returns false when it was returned before */
  async markTurnReturned(tx: Transaction, { accountId }: AccountContext, id: string): Promise<boolean> {
    const rows = await tx.query(MARK_TURN_RETURNED, [accountId, id]);
    return rows.length > 0;
  }
}

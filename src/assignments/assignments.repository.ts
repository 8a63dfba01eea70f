import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import type { Queryable } from '../database/index.js';
import type { ObjectType } from '../fields/index.js';
import type { PageRange } from '../http/index.js';
export type { LogFilter } from './assignments.statements.js';
import { DROP_TRACES, FIND_ASSIGNMENT, listAssignments, type LogFilter } from './assignments.statements.js';

/** A log entry as the database gives it. */
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

/** The log of dispatches. */
@Injectable()
export class AssignmentsRepository {
  /** One page, newest first, and the count of all that match. @param filters what the entries must have */
  async list(
    db: Queryable,
    { accountId }: AccountContext,
    filters: ReadonlyMap<LogFilter, string>,
    { limit, offset }: PageRange,
  ): Promise<{ rows: AssignmentRow[]; count: number }> {
    const values = [accountId, limit, offset, ...filters.values()];
    const rows = await db.query<AssignmentRow & { count: number }>(
      listAssignments([...filters.keys()]),
      values,
    );
    const [first] = rows as ((AssignmentRow | { id: null }) & { count: number })[];
    return { rows: first?.id == null ? [] : rows, count: first?.count ?? 0 };
  }

  /** One entry with its trace. */
  async find(
    db: Queryable,
    { accountId }: AccountContext,
    id: string,
  ): Promise<(AssignmentRow & { trace: unknown }) | undefined> {
    const [row] = await db.query<AssignmentRow & { trace: unknown }>(FIND_ASSIGNMENT, [accountId, id]);
    return row;
  }

  /** Drops traces of entries from one id up to another, at most so many. @returns the ids of those */
  async dropTraces(
    db: Queryable,
    { accountId }: AccountContext,
    from: string,
    before: string,
    most: number,
  ): Promise<string[]> {
    const rows = await db.query<{ id: string }>(DROP_TRACES, [accountId, from, before, most]);
    return rows.map(({ id }) => id).sort();
  }
}

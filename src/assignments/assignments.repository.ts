import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import { firstIdAt, GREATEST_ID, type Queryable, type Transaction } from '../database/index.js';
import type { HeldAssignment, OwedTurn } from '../engine/index.js';
import type { ObjectType } from '../fields/index.js';
import type { PageRange } from '../paging/index.js';
import * as statements from './assignments.statements.js';
import { LogQuery, REFUSED, type LogSelection } from './log-query.js';
import { listAssignments, readTurns, summarizeAssignments, type SummaryValue } from './log-statements.js';

/** Selects a page of the log. */
export interface LogPage extends PageRange, LogSelection {
  /** Id of the entry behind which the page starts; undefined where it starts at the offset. */
  readonly behind: string | undefined;
}

/** Which of the assignments of a user are read. */
export interface NewestRange {
  readonly since: Date;
  readonly most: number;
}

/** An assignment (contract section 6), with the e-mails that its users have now. */
export interface AssignmentRow {
  readonly id: string;
  readonly router_id: string;
  /** The version of the router that has decided; null for none. */
  readonly router_version: number | null;
  /** Name of the rule that matched; null for none. */
  readonly rule: string | null;
  /** The step that gave the turn, 0 for the own pool of router or rule; null for no turn. */
  readonly step: number | null;
  readonly object_id: string;
  readonly object_type: ObjectType;
  /** The new owner; null when nobody was assigned, and where the record keeps its owner. */
  readonly user: string | null;
  /** The owner before. */
  readonly previous_user: string | null;
  readonly reason: string;
  readonly message: string;
  readonly created_at: Date;
}

/** A row of a page. One without an id says that there is none. */
type ListedRow = { readonly count: number } & (AssignmentRow | { readonly id: null });

/** How many entries have a value, and how many all have together. */
interface SummaryRow {
  readonly value: string | null;
  readonly assigned: number;
  readonly refused: number;
  readonly allAssigned: number;
  readonly allRefused: number;
}

/** What a trace says of one distribution: among whom, who was chosen, the columns, and a row for each. */
type TurnStep = readonly [
  among: string,
  chosen: string,
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
];

/** An entry of the log as a turn of a rotation. */
export interface TurnRow {
  readonly id: string;
  /** Null where no rotation moved. */
  readonly rotation: string | null;
  readonly at: Date;
  readonly returned: boolean;
  /** The e-mail that who had the turn has now. */
  readonly user: string | null;
  /** Null where the trace is not kept. */
  readonly steps: readonly TurnStep[] | null;
}

/** Minutes in a hundred years. PostgreSQL cannot subtract any number of minutes from an instant. */
const CENTURY = 52_560_000;

/** By router: for how many minutes after its assignments they are returned. */
export type ReturnMinutes = ReadonlyMap<string, number>;

/** The assignment by which a user got a record last. The user is named as records store it. */
export interface LastAssignment extends HeldAssignment {
  readonly objectId: string;
}

/** A record whose owner changes in this transaction. Owners are named as records store them. */
export interface OwnerChange {
  readonly objectId: string;
  /** The routers that set this owner field and return turns. */
  readonly minutes: ReturnMinutes;
  readonly owner: string;
  /** Null where there is none any more. */
  readonly newOwner: string | null;
}

/** The instants of a user's assignments, with commas between them. */
interface NewestRow {
  readonly id: string;
  readonly newest: string;
}

/** The assignment log. It has one assignment for each time that a router ran on a record. */
@Injectable()
export class AssignmentsRepository {
  /** Returns one page, newest first, and the count of all that match. */
  async list(
    db: Queryable,
    { accountId }: AccountContext,
    { limit, offset, behind, ...selection }: LogPage,
  ): Promise<{ rows: AssignmentRow[]; count: number; more: boolean }> {
    const { to } = selection.range ?? {};
    const end = to === undefined ? GREATEST_ID : firstIdAt(to);
    const start = behind !== undefined && behind < end ? behind : end;
    const isAtOffset = behind === undefined && offset > 0;
    // One row more than the page has says whether others follow.
    const query = new LogQuery(selection, [accountId, limit + 1, isAtOffset ? offset : start]);
    const statement = listAssignments(query, isAtOffset ? 'offset' : 'after');
    const found = await db.query<ListedRow>(statement, query.values);
    const all = found.flatMap(({ count: _, ...row }) => (row.id === null ? [] : [row]));
    return { rows: all.slice(0, limit), count: found[0]?.count ?? 0, more: all.length > limit };
  }

  /** Counts all that match by what they have in common. @param most lines that are returned */
  summarize(
    db: Queryable,
    { accountId }: AccountContext,
    { by, most, ...selection }: LogSelection & { readonly by: SummaryValue; readonly most: number },
  ): Promise<SummaryRow[]> {
    const query = new LogQuery(selection, [accountId, most, REFUSED]);
    return db.query<SummaryRow>(summarizeAssignments(query, by), query.values);
  }

  /** The newest `most` entries that match behind an id, with what their traces say of turns. */
  turns(
    db: Queryable,
    { accountId }: AccountContext,
    { behind, most, ...selection }: LogSelection & { readonly behind: string; readonly most: number },
  ): Promise<TurnRow[]> {
    const query = new LogQuery(selection, [accountId, most, behind]);
    return db.query<TurnRow>(readTurns(query), query.values);
  }

  /** Returns one assignment with its trace. */
  async find(
    db: Queryable,
    { accountId }: AccountContext,
    id: string,
  ): Promise<(AssignmentRow & { trace: unknown }) | undefined> {
    const [found] = await db.query<AssignmentRow & { trace: unknown }>(statements.FIND_ASSIGNMENT, [
      accountId,
      id,
    ]);
    return found;
  }

  /** Returns the ids of those records on which a router has run, as the log says that there is. */
  async runOn(
    db: Queryable,
    { accountId }: AccountContext,
    { routerId, objectIds }: { readonly routerId: string; readonly objectIds: readonly string[] },
  ): Promise<ReadonlySet<string>> {
    if (objectIds.length === 0) return new Set();
    const rows = await db.query<{ id: string }>(statements.FIND_RUN_ON, [accountId, routerId, objectIds]);
    return new Set(rows.map(({ id }) => id));
  }

  /** Waits until no other import looks for records on which a router has not run; others wait then. */
  async lockImport(tx: Transaction, { accountId }: AccountContext, routerId: string): Promise<void> {
    await tx.query(statements.LOCK_IMPORT, [accountId, routerId]);
  }

  /**
   * Reads the newest assignments of users by any router, without those that were returned, at a cost of what
   * is asked for. @param until reads nothing later, and what was returned later; null reads all
   * @returns the instants in milliseconds since 1970, the newest first, by id of the user as `ranges`
   */
  async newest(
    db: Queryable,
    { accountId }: AccountContext,
    { ranges, until }: { readonly ranges: ReadonlyMap<string, NewestRange>; readonly until: Date | null },
  ): Promise<ReadonlyMap<string, readonly number[]>> {
    const range = [...ranges.values()];
    const values = [
      accountId,
      [...ranges.keys()],
      range.map(({ since }) => since),
      range.map(({ most }) => most),
    ];
    const rows = await (until === null
      ? db.query<NewestRow>(statements.READ_NEWEST, values)
      : db.query<NewestRow>(statements.READ_NEWEST_AT, [...values, until]));
    return new Map(rows.map(({ id, newest }) => [id, newest === '' ? [] : newest.split(',').map(Number)]));
  }

  /** The last assignments of records by these routers, by record, without those that were returned. */
  async findLast(
    db: Queryable,
    { accountId }: AccountContext,
    { objectIds, minutes }: { readonly objectIds: readonly string[]; readonly minutes: ReturnMinutes },
  ): Promise<ReadonlyMap<string, LastAssignment>> {
    const values = [accountId, objectIds, [...minutes.keys()]];
    const rows = await db.query<LastAssignment>(statements.FIND_LAST, values);
    return new Map(rows.map((row) => [row.objectId, row]));
  }

  /**
   * Reads the first of the returned turns that these routers have to take over, in order. Users are named as
   * records store them.
   */
  readTurns(
    db: Queryable,
    { accountId }: AccountContext,
    { routerIds, most }: { readonly routerIds: readonly string[]; readonly most: number },
  ): Promise<OwedTurn[]> {
    return db.query<OwedTurn>(statements.READ_TURNS, [accountId, routerIds, most]);
  }

  /** Returns the assignment by which the owner got the record, unless it is too old. */
  async returnLast(
    tx: Transaction,
    { accountId }: AccountContext,
    { objectId, minutes, owner, newOwner }: OwnerChange,
  ): Promise<void> {
    const most = [...minutes.values()].map((each) => Math.min(each, CENTURY));
    const values = [accountId, objectId, [...minutes.keys()], most, owner, newOwner];
    await tx.query(statements.RETURN_LAST, values);
  }
}

import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import type { Queryable, Transaction } from '../database/index.js';
import type { HeldAssignment, OwedTurn } from '../engine/index.js';
import { FIND_LAST, READ_TURNS, RETURN_LAST } from './assignments.statements.js';

/** Minutes in a hundred years. PostgreSQL cannot subtract any number of minutes from an instant. */
const CENTURY = 52_560_000;

/** By router: for how many minutes after its assignments they are returned. */
export type ReturnMinutes = ReadonlyMap<string, number>;

/** The assignment by which a user got a record last. The user is named as records store it. */
export interface LastAssignment extends HeldAssignment {
  readonly objectId: string;
}

/** A returned turn that no dispatch of its router has taken over. Users are named as records store them. */
export type TurnToReturn = OwedTurn;

/** A record whose owner changes in this transaction. */
export interface OwnerChange {
  readonly objectId: string;
  /** The routers that set this owner field and return turns. */
  readonly minutes: ReturnMinutes;
  /** Stored name of the owner until now. */
  readonly owner: string;
  /** Stored name; null where there is none any more. */
  readonly newOwner: string | null;
}

/** The assignments whose records were taken from their users soon after, and their turns. */
@Injectable()
export class ReturnedAssignmentsRepository {
  /** The last assignments of records by these routers, by record, without those that were returned. */
  async findLast(
    db: Queryable,
    { accountId }: AccountContext,
    { objectIds, minutes }: { readonly objectIds: readonly string[]; readonly minutes: ReturnMinutes },
  ): Promise<ReadonlyMap<string, LastAssignment>> {
    const rows = await db.query<LastAssignment>(FIND_LAST, [accountId, objectIds, [...minutes.keys()]]);
    return new Map(rows.map((row) => [row.objectId, row]));
  }

  /** Reads the first of the returned turns that these routers have to take over, in order. */
  readTurns(
    db: Queryable,
    { accountId }: AccountContext,
    { routerIds, most }: { readonly routerIds: readonly string[]; readonly most: number },
  ): Promise<TurnToReturn[]> {
    return db.query<TurnToReturn>(READ_TURNS, [accountId, routerIds, most]);
  }

  /** Returns the assignment by which the owner got the record, unless it is too old. */
  async returnLast(
    tx: Transaction,
    { accountId }: AccountContext,
    { objectId, minutes, owner, newOwner }: OwnerChange,
  ): Promise<void> {
    const most = [...minutes.values()].map((each) => Math.min(each, CENTURY));
    await tx.query(RETURN_LAST, [accountId, objectId, [...minutes.keys()], most, owner, newOwner]);
  }
}

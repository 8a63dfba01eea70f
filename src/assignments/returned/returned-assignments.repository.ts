import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Queryable, Transaction } from '../../database/index.js';
import { PLAN_ONCE } from '../assignments.statements.js';
import { leastIdOf } from '../least-id.js';
import { FIND_HELD, READ_TURNS, RETURN_LAST } from './returned.statements.js';

/** Most returned turns that one transaction takes over. The next one takes the others. */
const MOST_TURNS = 1_000;

/** Minutes in a hundred years. PostgreSQL cannot subtract any number of minutes from an instant. */
const CENTURY = 52_560_000;

/** By router: for how many minutes after its assignments they are returned. */
export type ReturnMinutes = ReadonlyMap<string, number>;

/** The assignment by which a user holds a record. */
export interface HeldAssignment {
  readonly id: string;
  readonly objectId: string;
  readonly routerId: string;
  /** Stored name of the user who got the record. */
  readonly user: string;
  readonly at: Date;
  /** The key of the rotation that gave the turn; null where none did. */
  readonly rotationKey: string | null;
  /** The key of the team that took the turn; null when a user took it. */
  readonly team: string | null;
}

/** A returned turn that no dispatch of its router has taken over. */
export interface TurnToReturn {
  /** Id of the assignment. */
  readonly id: string;
  readonly routerId: string;
  readonly rotationKey: string;
  readonly team: string | null;
  /** Stored name. */
  readonly oldOwner: string;
  /** Stored name of who is charged for it; null for the whole pool. */
  readonly newOwner: string | null;
}

/** An object whose owner changes in this transaction. */
export interface TakenObject {
  readonly objectId: string;
  /** The routers that set this owner field and return turns. */
  readonly minutes: ReturnMinutes;
  /** Stored name of the owner until now. */
  readonly owner: string;
  /** Stored name; null where there is none any more. */
  readonly newOwner: string | null;
}

/**
 * The assignments whose records were taken from their users soon after, and the turns that these get back.
 */
@Injectable()
export class ReturnedAssignmentsRepository {
  /**
   * Finds the assignments by which users hold the objects, of these routers, by object. Those that are too
   * old to be returned may be left out.
   */
  async findHeld(
    db: Queryable,
    { accountId }: AccountContext,
    { objectIds, minutes }: { readonly objectIds: readonly string[]; readonly minutes: ReturnMinutes },
  ): Promise<ReadonlyMap<string, HeldAssignment>> {
    const routerIds = [...minutes.keys()];
    const rows = await db.query<HeldAssignment>(FIND_HELD, [
      accountId,
      objectIds,
      routerIds,
      oldestReturned(minutes),
    ]);
    return new Map(rows.map((row) => [row.objectId, row]));
  }

  /** Reads the returned turns that these routers have to take over, in order: at most 1,000. */
  readTurns(
    db: Queryable,
    { accountId }: AccountContext,
    routerIds: readonly string[],
  ): Promise<TurnToReturn[]> {
    return db.query<TurnToReturn>(READ_TURNS, [accountId, routerIds, MOST_TURNS]);
  }

  /**
   * Returns the assignment by which the owner holds the object, unless it is too old. Later statements of the
   * transaction use generic plans, too.
   */
  async returnLast(
    tx: Transaction,
    { accountId }: AccountContext,
    { objectId, minutes, owner, newOwner }: TakenObject,
  ): Promise<void> {
    const most = [...minutes.values()].map((each) => Math.min(each, CENTURY));
    const least = oldestReturned(minutes);
    const values = [accountId, objectId, [...minutes.keys()], most, owner, newOwner, least];
    await Promise.all([tx.query(PLAN_ONCE, []), tx.query(RETURN_LAST, values)]);
  }
}

/** The least id of an entry that may be returned by one of the routers. */
function oldestReturned(minutes: ReturnMinutes): string {
  return leastIdOf(Date.now() - Math.max(...minutes.values()) * 60_000);
}

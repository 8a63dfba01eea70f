import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Queryable, Transaction } from '../../database/index.js';
import type { ObjectType } from '../../fields/index.js';
import * as statements from '../transaction/dispatch.statements.js';

/** The last assignment of a record by some routers, by a turn that has not been made up for. */
export interface LastTurn {
  readonly id: string;
  readonly router_id: string;
  /** Who got the record. */
  readonly user_email: string;
  readonly turn: { readonly scope: string; readonly team: string | null };
  readonly created_at: Date;
}

/** What making up for a turn reads and writes. */
@Injectable()
export class ReturnedTurnsRepository {
  async findLastTurn(
    db: Queryable,
    { accountId }: AccountContext,
    objectId: string,
    routerIds: readonly string[],
  ): Promise<LastTurn | undefined> {
    const [row] = await db.query<LastTurn>(statements.FIND_LAST_TURN, [accountId, objectId, routerIds]);
    return row;
  }

  /** Locks an active record. @returns its owner, null for none; undefined when there is no such record */
  async lockOwner(
    tx: Transaction,
    { accountId }: AccountContext,
    objectType: ObjectType,
    objectId: string,
    ownerField: string,
  ): Promise<string | null | undefined> {
    const values = [accountId, objectType, objectId, ownerField];
    const [row] = await tx.query<{ owner: string | null }>(statements.LOCK_OWNER, values);
    return row?.owner;
  }

  /** @returns whether the turn had not been made up for */
  async spendTurn(tx: Transaction, { accountId }: AccountContext, assignmentId: string): Promise<boolean> {
    const rows = await tx.query(statements.SPEND_TURN, [accountId, assignmentId]);
    return rows.length > 0;
  }

  async moveRotation(
    tx: Transaction,
    { accountId }: AccountContext,
    routerId: string,
    key: string,
    state: unknown,
  ): Promise<void> {
    await tx.query(statements.MOVE_ROTATION, [accountId, routerId, key, JSON.stringify(state)]);
  }
}

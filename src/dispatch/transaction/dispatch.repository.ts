import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Queryable, Transaction } from '../../database/index.js';
import { decodeRotationState, ROUTER_ROTATION_KEY, type RotationState } from '../../engine/index.js';
import type { StoredRecord } from '../../records/index.js';
import * as statements from './dispatch.statements.js';

/** Routers and records of their account. */
export interface DispatchKeys {
  readonly routerIds: readonly string[];
  readonly objectIds: readonly string[];
  /** Names of fields that need not be read. */
  readonly unread: readonly string[];
}

/** The state that decisions are based on. */
export interface DispatchRows {
  /** The records that exist, by id. */
  readonly records: ReadonlyMap<string, StoredRecord>;
  /** Each router's own rotation. */
  readonly rotations: ReadonlyMap<string, RotationState>;
  /** The database's clock, later than every change that was read. */
  readonly at: Date;
}

type Row = { [K in keyof StoredRecord]: StoredRecord[K] | null } & {
  /** States by router; null in all rows but one, and where no router has given a turn. */
  rotations: Readonly<Record<string, unknown>> | null;
  at: Date;
};

interface IdRow {
  readonly id: string;
}

/** Takes the locks of dispatches, and reads what they are decided on. */
@Injectable()
export class DispatchRepository {
  /**
   * Waits for the account's lock, which its dispatches and changes of its configuration take.
   * @returns the version of its configuration; undefined for an account that does not exist
   */
  async lockAccount(tx: Transaction, { accountId }: AccountContext): Promise<string | undefined> {
    const [, rows] = await Promise.all([
      tx.query(statements.BEGIN_DISPATCH, []),
      tx.query<{ config_version: string }>(statements.LOCK_ACCOUNT, [accountId]),
    ]);
    return rows[0]?.config_version;
  }

  /** Waits for records that somebody else has locked, and locks them. The account's lock comes after them. */
  async lockRecords(
    tx: Transaction,
    { accountId }: AccountContext,
    objectIds: readonly string[],
  ): Promise<void> {
    await tx.query<IdRow>(statements.LOCK_RECORDS, [accountId, objectIds]);
  }

  /** Locks and reads the records that nobody else has locked. */
  readAndLock(tx: Transaction, account: AccountContext, keys: DispatchKeys): Promise<DispatchRows> {
    return this.read(tx, account, { ...keys, statement: statements.READ_AND_LOCK });
  }

  /** As `readAndLock`, of all records and without locks. */
  readOnly(db: Queryable, account: AccountContext, keys: DispatchKeys): Promise<DispatchRows> {
    return this.read(db, account, { ...keys, statement: statements.READ_ONLY });
  }

  /** Returns the ids of those of the objects that exist. */
  async readExisting(
    tx: Transaction,
    { accountId }: AccountContext,
    objectIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const rows = await tx.query<IdRow>(statements.READ_EXISTING, [accountId, objectIds]);
    return new Set(rows.map(({ id }) => id));
  }

  private async read(
    db: Queryable,
    { accountId }: AccountContext,
    {
      statement,
      objectIds,
      routerIds,
      unread,
    }: DispatchKeys & { readonly statement: typeof statements.READ_ONLY },
  ): Promise<DispatchRows> {
    const rows = await db.query<Row>(statement, [accountId, objectIds, routerIds, unread]);
    const records = rows.flatMap(({ rotations: _, at: __, ...record }) =>
      record.id === null ? [] : [record as StoredRecord],
    );
    const states = rows.find(({ rotations }) => rotations !== null)?.rotations ?? {};
    return {
      records: new Map(records.map((record) => [record.id, record])),
      rotations: new Map(
        routerIds.map((routerId) => [routerId, decodeRotationState(states[routerId], ROUTER_ROTATION_KEY)]),
      ),
      // The clock of a row is read after its record is locked: only the latest is later than every change.
      at: new Date(Math.max(...rows.map(({ at }) => at.getTime()))),
    };
  }
}
